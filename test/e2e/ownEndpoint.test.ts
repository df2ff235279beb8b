import { describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { inThisProcess } from '../support/cli/inProcess.js';
import { startServe } from '../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

describe('the endpoint of toolledger itself', () => {
  it('is not registered as a server of its own, in no spelling and for no workspace', async () => {
    const data = newDirectory();
    const served = await startServe(data);
    const { port } = new URL(served.origin);
    await inThisProcess(data, ['workspace', 'open', 'g1']);
    const refusal = async (url: string, workspace: string): Promise<unknown> => {
      const { stdout } = await inThisProcess(data, ['mcp', 'add', url, '--name', 'self', '--workspace', workspace, '--json']);
      return (JSON.parse(stdout) as { readonly error: { readonly code: string } }).error.code;
    };
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '127.1', '[::ffff:127.0.0.1]']) {
      expect([await refusal(`http://${host}:${port}/mcp`, 'local'), await refusal(`https://${host}:${port}/mcp`, 'g1')]).toEqual(['url_own_listener', 'url_own_listener']);
    }
    await served.stop();
  });
});
