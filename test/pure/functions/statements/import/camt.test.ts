import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCamt } from '../../../../../functions/statements/import/file/camt.ts';
import { maxEntries, UnreadableFile } from '../../../../../functions/statements/import/file/entry.ts';
import { processorMs } from '../../../../support/processor-time.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';

const folder = join(import.meta.dirname, '../../../../fixtures/bank-statements');
const nowMs = Date.UTC(2026, 10, 22);
const fixture = (name: string) => parseCamt(readFileSync(join(folder, name)), nowMs);
const parsed = (xml: string, encoding: BufferEncoding = 'utf8') =>
  parseCamt(Buffer.from(xml, encoding), nowMs);
const day = Date.UTC(2026, 10, 20);

describe('the dialects of banks', () => {
  test('German: ISO-8859-1, a broken line within the reference, a fee, a returned direct debit, an entry that is not booked', async () => {
    const { entries, withdrawals, notBooked } = await fixture('german-001.02.xml');
    expect({ withdrawals, notBooked }).toEqual({ withdrawals: 1, notBooked: 1 });
    expect(entries).toEqual([
      {
        kind: 'credit',
        amountMinor: 1_999,
        currency: 'EUR',
        isOneTransfer: true,
        valueAtMs: Date.UTC(2026, 10, 19),
        account: 'DE02120300000000202051',
        text: 'Rechnung November sub-7k3m 9xqp vielen Dank',
        structured: [],
        ids: ['2026112010203040'],
        bankId: '2026112010203040/',
        name: 'Müller & Söhne',
        iban: 'DE89370400440532013000',
      },
      expect.objectContaining({ kind: 'reversal', amountMinor: 1_999, text: 'Rueckgabe Lastschrift' }),
    ]);
  });

  test('Dutch: a prefix of the namespace, an amount without decimals, a creditor reference', async () => {
    const { entries } = await fixture('dutch-001.02.xml');
    expect(entries).toEqual([
      expect.objectContaining({
        amountMinor: 10_000,
        structured: ['RF23567483937849450550875'],
        bankId: 'OO9T005094163',
        endToEndId: 'E2E-7',
        name: 'J. de Vries e/o',
      }),
    ]);
  });

  test('Swiss: a batch is its transactions, and one whose amounts are not stated is one entry', async () => {
    const { entries } = await fixture('swiss-001.04.xml');
    expect(entries.map(({ amountMinor, bankId, name }) => [amountMinor, bankId, name])).toEqual([
      [5_005, 'CH-TX-1', 'Zoë Bühler'],
      [5_025, 'CH-TX-2', 'Regula Frei'],
      [5_025, '0123456789ABCDEF/2', undefined],
      [3_000, 'BATCH-WITHOUT-AMOUNTS/', undefined],
    ]);
    expect(entries[0]?.structured).toContain('SUB-7K3M9XQP');
    // The day that the bank states, not that of UTC.
    expect(entries[3]).toMatchObject({ text: 'one two', valueAtMs: day });
  });

  test('version 08: codes of status, wrapped parties, two accounts, currencies without and with three decimals', async () => {
    const { entries, notBooked } = await fixture('global-001.08.xml');
    expect(notBooked).toBe(1);
    expect(entries).toEqual([
      expect.objectContaining({
        amountMinor: 1_200,
        currency: 'JPY',
        account: '0012345678',
        name: '山田 太郎',
        endToEndId: 'STANDING-ORDER',
        valueAtMs: Date.UTC(2026, 10, 21),
      }),
      expect.objectContaining({ amountMinor: 3_125, currency: 'BHD', account: 'BH67BMAG00001299123456' }),
    ]);
    expect(entries[0]?.text).toBe('☃ <ok>A&B <SUB-7K3M9XQP>');
  });

  test.each(['utf-16le', 'latin1', 'utf8'] as const)(
    'a file in %s is read by its mark or declaration',
    async (encoding) => {
      const declared = encoding === 'latin1' ? 'ISO-8859-1' : 'UTF-8';
      const mark = encoding === 'utf-16le' ? '\ufeff' : '';
      const xml = camt([entryXml({ name: 'Zoë' })], {
        declaration: `<?xml version="1.0" encoding="${declared}"?>`,
      });
      expect((await parsed(mark + xml, encoding)).entries[0]?.name).toBe('Zoë');
    },
  );
});

describe('what no file can do', () => {
  const bomb = Array.from({ length: 10 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');

  test.each([
    ['external entities', '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['a billion laughs', `<!DOCTYPE Document [<!ENTITY e0 "ha">${bomb}]>`, '&e10;'],
    ['an external document type', '<!DOCTYPE Document SYSTEM "http://127.0.0.1:9/x.dtd">', 'x'],
    ['a document type in small letters', '<!doctype Document>', 'x'],
  ])('%s are refused before anything is parsed', async (_, doctype, text) => {
    const xml = camt([entryXml({ text })], { declaration: `<?xml version="1.0"?>${doctype}` });
    const startedAt = processorMs();
    await expect(parsed(xml)).rejects.toThrow('must have no document type declaration');
    expect(processorMs() - startedAt).toBeLessThan(200);
  });

  test('a document type is refused in every encoding', async () => {
    const xml = `\ufeff${camt([entryXml()], { declaration: '<!DOCTYPE Document>' })}`;
    await expect(parsed(xml, 'utf-16le')).rejects.toThrow('must have no document type declaration');
  });

  test.each(['&nbsp;', '&e1;', '&', '&#0;', '&#xD800;', '&#x110000;', '&constructor;'])(
    'the reference %s, which XML does not define, is refused',
    async (text) => {
      await expect(parsed(camt([entryXml({ text })]))).rejects.toThrow(UnreadableFile);
    },
  );

  test('a reference is decoded once', async () => {
    expect((await parsed(camt([entryXml({ text: '&amp;lt;&#60;' })]))).entries[0]?.text).toBe('&lt;<');
  });

  test('a deep tree ends in an error, not in the end of the stack', async () => {
    const deep = '<a>'.repeat(100_000) + '</a>'.repeat(100_000);
    await expect(parsed(deep)).rejects.toThrow(UnreadableFile);
    await expect(parsed(camt([entryXml({ text: deep })]))).rejects.toThrow(UnreadableFile);
  });

  test('elements with names of prototypes change no prototype', async () => {
    const xml = camt(['<Ntry><__proto__><polluted>1</polluted></__proto__><constructor/></Ntry>']);
    await expect(parsed(xml)).rejects.toThrow(UnreadableFile);
    expect({}).not.toHaveProperty('polluted');
  });

  test(`more than ${maxEntries} entries are refused`, async () => {
    const xml = camt(Array.from({ length: maxEntries + 1 }, () => '<Ntry/>'));
    await expect(parsed(xml)).rejects.toThrow('must have at most 10000 entries');
  });
});

describe('a file that is not CAMT.053', () => {
  test.each([
    ['nothing', '', 'is not well-formed XML'],
    ['text', 'Umsätze', 'is not well-formed XML'],
    ['another message', '<Document><BkToCstmrDbtCdtNtfctn/></Document>', 'is not a CAMT.053 document'],
    ['HTML', '<html><body>Sign in<br></body></html>', 'is not well-formed XML'],
    ['half a file', camt([entryXml()]).slice(0, -40), 'is not well-formed XML'],
    [
      'an encoding of no bank',
      '<?xml version="1.0" encoding="EBCDIC-37"?><Document/>',
      'has an encoding that is not supported',
    ],
  ])('%s is refused', async (_, xml, problem) => {
    await expect(parsed(xml)).rejects.toThrow(problem);
  });

  test('bytes that are not of the declared encoding are refused, and not replaced', async () => {
    const xml = camt([entryXml({ name: 'Zoë' })], { declaration: '<?xml version="1.0" encoding="UTF-8"?>' });
    await expect(parsed(xml, 'latin1')).rejects.toThrow('is not text in utf-8');
  });

  test.each([
    [entryXml({ amount: '1e3' }), 'has an amount that is not a decimal number'],
    [entryXml({ indicator: 'CREDIT' }), 'is neither a credit nor a debit'],
    [entryXml().replace(/<Amt.*<\/Amt>/, ''), 'has no amount'],
    [entryXml().replace(' Ccy="EUR"', ''), 'has no amount'],
    [entryXml().replace('19.99', ''), 'has no amount'],
    [entryXml().replace(/<BookgDt>.*<\/ValDt>/, ''), 'has no date'],
    ['<Ntry/>', 'has no amount'],
  ])('%s names the entry in the error, and nothing of its content', async (entry, problem) => {
    await expect(parsed(camt([entryXml(), entry]))).rejects.toThrow(`entry 2 ${problem}`);
  });

  test('an entry of an impossible date is reported and left out, and the others are read', async () => {
    const { entries, rejected } = await parsed(
      camt([entryXml(), entryXml({ date: '2026-02-30' }), entryXml()]),
    );
    expect(entries).toHaveLength(2);
    expect(rejected).toEqual([
      { entry: 2, problem: expect.stringContaining('entry 2 has a date that is not a day') },
    ]);
  });

  test('more than 100 impossible dates are a wrong file, and so are only such', async () => {
    const impossible = (count: number) =>
      Array.from({ length: count }, () => entryXml({ date: '2026-02-30' }));
    expect((await parsed(camt([entryXml(), ...impossible(100)]))).rejected).toHaveLength(100);
    await expect(parsed(camt([entryXml(), ...impossible(101)]))).rejects.toThrow('more than 100 entries');
    await expect(parsed(camt(impossible(1)))).rejects.toThrow('entry 1 has a date');
  });
});
