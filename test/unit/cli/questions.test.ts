import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const section = guide.slice(guide.indexOf('## Questions and answers'), guide.indexOf('## Exporting'));
const headings = [...section.matchAll(/^\*\*(.+?)\*\*(.*)$/gm)].map(([, heading = '', rest = '']) => ({ heading, rest }));
const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n');

describe('the questions in the operations guide', () => {
  it.each(headings)('are found by what a person sees: $heading', ({ heading, rest }) => {
    // A code, like keys_missing, is shown with --json only.
    expect(heading).not.toMatch(/`[a-z]+(?:_[a-z]+)+`/);
    for (const [, quoted = ''] of heading.matchAll(/"([^"]+)"/g)) expect(source).toContain(quoted);
    for (const [, code = ''] of rest.matchAll(/^ \(((?:`[a-z_]+`(?:, )?)+)\)/g)) {
      for (const [, one = ''] of code.matchAll(/`([a-z_]+)`/g)) expect(source).toContain(`'${one}'`);
    }
  });

  it('are there', () => expect(headings.length).toBeGreaterThan(10));
});
