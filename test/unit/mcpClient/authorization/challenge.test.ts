import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bearerChallenge, parseChallenges } from '../../../../src/mcp/client/authorization/discovery/challenge.js';

/** Challenges as plain arrays: scheme, parameters. */
const read = (header: string | null) => parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

describe('reading WWW-Authenticate', () => {
  it.each<[string, string | null, unknown[]]>([
    ['no header', null, []],
    ['a blank header', ' , ,', []],
    ['one scheme alone', 'Bearer', [['bearer', {}]]],
    ['parameters, quoted and not', 'Bearer realm="a b", error=invalid_token', [['bearer', { realm: 'a b', error: 'invalid_token' }]]],
    ['commas and equals signs in quotes', 'Bearer realm="a, Basic realm=b", scope="x"', [['bearer', { realm: 'a, Basic realm=b', scope: 'x' }]]],
    ['escapes in quotes', String.raw`Bearer realm="say \"hi\", \\ \a"`, [['bearer', { realm: String.raw`say "hi", \ a` }]]],
    ['another scheme first', 'Basic realm="x", Bearer scope="y"', [['basic', { realm: 'x' }], ['bearer', { scope: 'y' }]]],
    ['token68, also at the end', 'Negotiate YWJj==, Bearer a="b", NTLM abc', [['negotiate', {}], ['bearer', { a: 'b' }], ['ntlm', {}]]],
    ['a scheme without anything between others', 'Negotiate, Bearer a="b", Basic', [['negotiate', {}], ['bearer', { a: 'b' }], ['basic', {}]]],
    ['names in any case, the first of two', 'BEARER Scope="a", SCOPE="b"', [['bearer', { scope: 'a' }]]],
    ['blanks around the equals sign, and empty places in the list', 'Bearer ,, a = "b" ,, c\t=\td', [['bearer', { a: 'b', c: 'd' }]]],
    ['an empty value in quotes', 'Bearer a="", b="c"', [['bearer', { a: '', b: 'c' }]]],
    ['a URL without quotes', 'Bearer resource_metadata=https://a.example/x?y=z, scope="s"', [['bearer', { resource_metadata: 'https://a.example/x?y=z', scope: 's' }]]],
    ['a quote that never ends: what stands before it', 'Basic realm="x", Bearer a="b", c="d, Digest e="f"', [['basic', { realm: 'x' }], ['bearer', { a: 'b', c: 'd, Digest e=' }]]],
    ['a quote that never ends, at the end', 'Bearer a="b", c="d', [['bearer', { a: 'b' }]]],
    ['a missing value, and what comes after', 'Bearer b="c", a=, Basic realm="x"', [['bearer', { b: 'c' }], ['basic', { realm: 'x' }]]],
    ['what is no scheme, and what comes after', '"?", (), Bearer a="b"', [['bearer', { a: 'b' }]]],
    ['words after a value', 'Basic realm=foo bar "x, y", Bearer a="b"', [['basic', { realm: 'foo' }], ['bearer', { a: 'b' }]]],
  ])('%s', (_, header, expected) => {
    expect(read(header)).toEqual(expected);
  });

  it('never fails, and knows no more than the header says', () => {
    const pieces = fc.constantFrom('Bearer', ' ', ',', '=', '"', '\\', 'a', 'scope', 'x y', 'dA==', '\t', '(', 'é');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }).map((some) => some.join('')), (header) => {
        for (const { scheme, parameters } of parseChallenges(header)) {
          expect(header.toLowerCase()).toContain(scheme);
          for (const name of parameters.keys()) expect(header.toLowerCase()).toContain(name);
        }
      }),
    );
  });

  it.each([
    ['of quotes', '"'],
    ['of open parameters', 'a="b\\'],
    ['of commas', ','],
    ['of schemes', 'a, '],
    ['of equals signs', 'a='],
    ['of backslashes in quotes', '"\\"'],
  ])('reads 100 kB %s no further than 16 KiB', (_, piece) => {
    const header = `Bearer x="y", ${piece.repeat(100_000 / piece.length)}, Basic realm="late"`;
    expect(read(header)[0]).toEqual(['bearer', expect.objectContaining({ x: 'y' })]);
    expect(read(header)).not.toContainEqual(['basic', { realm: 'late' }]);
  });
});

describe('what a Bearer challenge says', () => {
  it.each([null, '', 'Basic realm="x"', 'Bearerish a="b"'])('nothing where there is none: %s', (header) => {
    expect(bearerChallenge(header)).toBeNull();
  });

  it('where the metadata lies, scopes and error', () => {
    expect(bearerChallenge('Basic realm="x", bearer resource_metadata="https://a.example/m", scope="read  write read", error="insufficient_scope"')).toEqual({
      resourceMetadata: 'https://a.example/m',
      scopes: ['read', 'write'],
      error: 'insufficient_scope',
    });
    expect(bearerChallenge('Bearer')).toEqual({ resourceMetadata: null, scopes: [], error: null });
  });

  it('takes the first of what is said twice, in one challenge or two', () => {
    expect(bearerChallenge('Bearer resource_metadata="https://a.example/1", resource_metadata="https://a.example/2"')?.resourceMetadata).toBe('https://a.example/1');
    expect(bearerChallenge('Bearer scope="a", Bearer scope="b", resource_metadata="https://a.example/2"')).toMatchObject({ scopes: ['a'], resourceMetadata: 'https://a.example/2' });
  });

  it('passes over what can be no scope and no error', () => {
    const scope = `ok ${'x'.repeat(201)} a\u0007b é \\"q\\" fine:yes`;
    expect(bearerChallenge(`Bearer scope="${scope}", error="${'e'.repeat(101)}"`)).toEqual({ resourceMetadata: null, scopes: ['ok', 'fine:yes'], error: null });
    expect(bearerChallenge(`Bearer scope="${Array.from({ length: 500 }, (_, index) => `s${index}`).join(' ')}"`)?.scopes).toHaveLength(100);
  });
});
