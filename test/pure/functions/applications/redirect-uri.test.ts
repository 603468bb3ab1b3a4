import { RedirectUris, redirectUriProblem } from '../../../../functions/applications/redirect-uri.ts';
import { corpusRows } from '../../../support/corpus.ts';

describe('a redirect URI', () => {
  test.each(corpusRows('redirect-uris.tsv'))('%j: %s', (uri = '', reading) => {
    const problem = reading === 'valid' ? undefined : reading;
    expect(redirectUriProblem(uri)).toBe(problem);
    const issues = [{ code: 'custom', message: problem }];
    expect(RedirectUris.safeParse([uri]).error?.issues).toEqual(
      problem === undefined ? undefined : issues.map((issue) => expect.objectContaining(issue)),
    );
  });

  test('is in the list once, and the list is short', () => {
    const uris = Array.from({ length: 21 }, (_, i) => `https://app.example/${i}`);
    expect(RedirectUris.safeParse(uris.slice(1)).success).toBe(true);
    expect(RedirectUris.safeParse(uris).success).toBe(false);
    expect(RedirectUris.safeParse([uris[0], uris[0]]).error?.issues).toMatchObject([
      { message: 'must differ from each other' },
    ]);
  });
});
