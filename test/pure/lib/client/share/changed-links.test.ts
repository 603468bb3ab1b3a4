import { describeShareLink, parseReceiptLink, parseShareLink } from '../../../../../lib/client/share.ts';
import { corpusRows } from '../../../../support/corpus.ts';

const id = 'oW4uHVmTzeXdR4Ea3kz0ukw';
const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const token = 'vsr_W4uHVmTzeXdR4Ea3kz0ukw';
const parts: Record<string, string> = { id, key, token, cut: key.slice(0, -1) };

function read(link: string) {
  const { kind, shareId, keyWasSent } = describeShareLink(link);
  const read = kind === 'receipt' ? parseReceiptLink(link).receiptToken : parseShareLink(link).key;
  return { shareId, read, keyWasSent };
}

test.each(corpusRows('share-links.tsv'))(
  'the link %s, changed by programs on its way, is of the kind %s, and its key was sent: %s',
  (form = '', opens = '', sent = '') => {
    const link = form.replaceAll(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '');
    if (opens === '-') {
      const refused = expect.objectContaining({ name: 'ShareError', code: 'invalid_link' });
      expect(() => read(link)).toThrow(refused);
      expect(() => read(link)).not.toThrow(key.slice(0, 10));
      return;
    }
    const expected = { plain: key, proof: `k${key}`, passphrase: `p${key}`, receipt: token }[opens];
    expect(read(link)).toEqual({ shareId: id, read: expected, keyWasSent: sent === 'yes' });
  },
);
