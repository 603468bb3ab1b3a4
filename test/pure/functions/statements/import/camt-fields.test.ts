import { parseCamt } from '../../../../../functions/statements/import/file/camt.ts';
import { camt, entryXml } from '../../../../support/statements/bank-files.ts';

const parsed = (xml: string) => parseCamt(Buffer.from(xml), Date.UTC(2026, 10, 22));

describe('the fields of an entry', () => {
  const details = (content: string) =>
    entryXml().replace(/<TxDtls>.*<\/TxDtls>/, `<TxDtls>${content}</TxDtls>`);
  const first = async (xml: string) => (await parsed(camt([xml]))).entries[0];
  const party = (path: string, name: string) =>
    path.split('/').reduceRight((inner, tag) => `<${tag}>${inner}</${tag}>`, name);

  test.each([
    ['the debtor', 'RltdPties/Dbtr/Nm'],
    ['the debtor of a newer version', 'RltdPties/Dbtr/Pty/Nm'],
    ['the ultimate debtor', 'RltdPties/UltmtDbtr/Nm'],
    ['the ultimate debtor of a newer version', 'RltdPties/UltmtDbtr/Pty/Nm'],
  ])('name %s', async (_, path) => {
    expect((await first(details(party(path, 'Ada'))))?.name).toBe('Ada');
  });

  test.each([
    ['ValDt/DtTm', '2026-11-18T23:00:00+01:00', 18],
    ['BookgDt/Dt', '2026-11-17', 17],
    ['BookgDt/DtTm', '2026-11-16T10:00:00Z', 16],
  ])('have a day in %s', async (path, text, day) => {
    const xml = entryXml().replace(/<BookgDt>.*<\/ValDt>/, party(path, text));
    expect((await first(xml))?.valueAtMs).toBe(Date.UTC(2026, 10, day));
  });

  test('have the text of the bank where the payer wrote none', async () => {
    const info = '<AddtlNtryInf>of the entry</AddtlNtryInf></Ntry>';
    const both = details(party('AddtlTxInf', 'of the transaction')).replace('</Ntry>', info);
    expect((await first(both))?.text).toBe('of the entry of the transaction');
    expect((await first(details('')))?.text).toBe('');
    const written = both.replace('<AddtlTxInf>', `${party('RmtInf/Ustrd', 'of the payer')}<AddtlTxInf>`);
    expect((await first(written))?.text).toBe('of the payer');
    const structured = details(
      party('RmtInf/Strd/CdtrRefInf/Ref', 'RF1') + party('RmtInf/Strd/AddtlRmtInf', 'more'),
    );
    expect((await first(structured))?.structured).toEqual(['RF1', 'more']);
  });

  test.each(['NOTPROVIDED', 'notavailable', 'NONREF', 'NOREF', 'N/A', 'NA', '-', '--', '0', '000'])(
    'have no id where a bank writes %s',
    async (id) => {
      expect((await first(entryXml({ bankId: id })))?.bankId).toBeUndefined();
      expect((await first(details(party('Refs/EndToEndId', id))))?.endToEndId).toBeUndefined();
    },
  );

  test('have an id that only looks like none', async () => {
    for (const id of ['10', '01', 'NA1', '1NA'])
      expect((await first(entryXml({ bankId: id })))?.bankId).toBe(`${id}/`);
  });

  const transaction = (amount: string, more = '') => `<TxDtls>${amount}${more}</TxDtls>`;
  const batch = (...transactions: string[]) => {
    const total = entryXml({ amount: '1.00', bankId: 'B' });
    const info = `<AddtlNtryInf>${'i'.repeat(1_500)}</AddtlNtryInf></Ntry>`;
    return total.replace(/<TxDtls>.*<\/TxDtls>/, transactions.join('')).replace('</Ntry>', info);
  };
  const plain = (amount: string) => `<Amt Ccy="EUR">${amount}</Amt>`;

  test.each([
    ['Amt', plain],
    ['AmtDtls/TxAmt', (amount: string) => `<AmtDtls><TxAmt>${plain(amount)}</TxAmt></AmtDtls>`],
    ['AmtDtls/InstdAmt', (amount: string) => `<AmtDtls><InstdAmt>${plain(amount)}</InstdAmt></AmtDtls>`],
    [
      'AmtDtls, after one of another currency',
      (amount: string) =>
        `<AmtDtls><InstdAmt><Amt Ccy="USD">9.00</Amt></InstdAmt><TxAmt>${plain(amount)}</TxAmt></AmtDtls>`,
    ],
  ])('of a batch have amounts in %s, and what the bank says of all is cut', async (_, amount) => {
    const xml = batch(
      transaction(amount('3.00')),
      transaction(amount('2.00'), '<CdtDbtInd>DBIT</CdtDbtInd>'),
    );
    const { entries, withdrawals } = await parsed(camt([xml]));
    expect(entries.map(({ amountMinor, bankId, text }) => [amountMinor, bankId, text.length])).toEqual([
      [300, 'B/0', 1_000],
    ]);
    expect(withdrawals).toBe(1);
  });

  test('of a batch whose amounts do not add up are those of one entry', async () => {
    const { entries } = await parsed(camt([batch(transaction(plain('1.00')), transaction(plain('1.00')))]));
    expect(entries.map(({ amountMinor, text }) => [amountMinor, text.length])).toEqual([[100, 1_500]]);
    const { entries: other } = await parsed(
      camt([batch(transaction(plain('1.00')), transaction('<Amt Ccy="USD">0</Amt>'))]),
    );
    expect(other).toHaveLength(1);
  });

  test('can be of a statement without an account, and of one that only withdraws or waits', async () => {
    expect((await parsed(camt([entryXml()]).replace(/<Acct>.*<\/Acct>/, ''))).entries[0]?.account).toBe('');
    const impossible = entryXml({ date: '2026-02-30' });
    expect(await parsed(camt([impossible, entryXml({ indicator: 'DBIT' })]))).toMatchObject({
      withdrawals: 1,
    });
    expect(await parsed(camt([impossible, entryXml().replace('BOOK', 'PDNG')]))).toMatchObject({
      notBooked: 1,
    });
    expect((await parsed(camt([entryXml().replace(/<Sts>.*<\/Sts>/, '')]))).entries).toHaveLength(1);
    expect(await parsed(camt([entryXml({ indicator: 'DBIT', reversal: true })]))).toMatchObject({
      entries: [{ kind: 'reversal' }],
    });
  });

  test('of several statements are 10,000 in all', async () => {
    const statements = (...counts: number[]) =>
      camt(['']).replace(
        /<Stmt>.*<\/Stmt>/,
        counts.map((n) => `<Stmt>${entryXml({ indicator: 'DBIT' }).repeat(n)}</Stmt>`).join(''),
      );
    await expect(parsed(statements(1, 10_000))).rejects.toThrow('must have at most 10000 entries');
    const two = `<Ntry>${plain('2.00')}<CdtDbtInd>CRDT</CdtDbtInd><ValDt><Dt>2026-11-20</Dt></ValDt><NtryDtls>${transaction(plain('1.00')).repeat(2)}</NtryDtls></Ntry>`;
    await expect(parsed(camt([entryXml({ indicator: 'DBIT' }).repeat(9_999), two]))).rejects.toThrow(
      'must have at most 10000 entries',
    );
    await expect(
      parsed(camt([two.replace('<NtryDtls>', `<NtryDtls>${'<TxDtls/>'.repeat(10_000)}`)])),
    ).rejects.toThrow('must have at most 10000 entries');
  });
});
