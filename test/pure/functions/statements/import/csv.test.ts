import { type CsvMapping, parseCsv } from '../../../../../functions/statements/import/file/csv.ts';

const english: CsvMapping = {
  columns: {
    date: 'Date',
    amount: 'Amount',
    currency: 'Currency',
    reference: ['Details'],
    name: 'Name',
    id: 'Id',
  },
  amounts: 'credits',
  dateFormat: 'YYYY-MM-DD',
  decimalSeparator: '.',
};
const german: CsvMapping = {
  columns: {
    date: 'Valutadatum',
    amount: 'Betrag',
    reference: ['Verwendungszweck', 'Kundenreferenz'],
    name: 'Begünstigter/Zahlungspflichtiger',
    iban: 'Kontonummer/IBAN',
  },
  amounts: 'signed',
  dateFormat: 'DD.MM.YYYY',
  decimalSeparator: ',',
  currency: 'EUR',
  account: 'DE02120300000000202051',
};
const parsed = (text: string, mapping: CsvMapping, encoding: BufferEncoding = 'utf8') =>
  parseCsv(Buffer.from(text, encoding), mapping, Date.UTC(2026, 10, 22));
const one = (amount: string, mapping: Partial<CsvMapping> = {}) =>
  parsed(`Date;Amount\n2026-11-20;"${amount}"\n`, {
    ...english,
    columns: { date: 'Date', amount: 'Amount' },
    currency: 'EUR',
    ...mapping,
  });

describe('the dialects of banks', () => {
  test('German: lines before the header, semicolons, decimal commas, two columns of text, withdrawals and a line of totals', async () => {
    const text = [
      '"Konto";"Girokonto DE02120300000000202051"',
      '""',
      '"Buchungstag";"Valutadatum";"Begünstigter/Zahlungspflichtiger";"Verwendungszweck";"Kundenreferenz";"Kontonummer/IBAN";"Betrag"',
      '"21.11.26";"20.11.26";"Söhne, Müller";"SUB-7K3M9XQP";"NOTPROVIDED";"DE89 3704 0044 0532 0130 00";"1.234,50"',
      '"21.11.26";"20.11.26";"Bank";"Entgelt";"";"";"-7,90"',
      '"";"";"";"Summe";"";"";""',
    ].join('\r\n');
    const expected = {
      entries: [
        {
          kind: 'credit',
          amountMinor: 123_450,
          currency: 'EUR',
          isOneTransfer: true,
          valueAtMs: Date.UTC(2026, 10, 20),
          account: 'DE02120300000000202051',
          text: 'SUB-7K3M9XQP NOTPROVIDED',
          structured: [],
          ids: [],
          name: 'Söhne, Müller',
          iban: 'DE89370400440532013000',
        },
      ],
      withdrawals: 1,
      notBooked: 0,
      rejected: [],
    };
    expect(await parsed(text, german)).toEqual(expected);
    expect(await parsed(`\ufeff${text}`, german)).toEqual(expected);
    // A file as a European spreadsheet saves it.
    expect(await parsed(text, german, 'latin1')).toEqual(expected);
    expect(await parsed(`\ufeff${text}`, german, 'utf16le')).toEqual(expected);
  });

  test('English: commas, quoted line ends and quotes, a currency for each entry', async () => {
    const text =
      'Id,Date,Name,Details,Amount,Currency\n7,2026-11-20,"Lovelace, Ada","line 1\nline ""2""",+1200,jpy\n8,2026-11-20,Bob,x,3.125,BHD\n';
    expect((await parsed(text, english)).entries).toMatchObject([
      {
        amountMinor: 1_200,
        currency: 'JPY',
        name: 'Lovelace, Ada',
        text: 'line 1 line "2"',
        bankId: '7',
        ids: ['7'],
      },
      { amountMinor: 3_125, currency: 'BHD' },
    ]);
  });

  test('tabs', async () => {
    expect(
      (
        await parsed('Date\tAmount\n2026-11-20\t5\n', {
          ...english,
          columns: { date: 'Date', amount: 'Amount' },
          currency: 'EUR',
        })
      ).entries,
    ).toHaveLength(1);
  });
});

describe('amounts', () => {
  test('are read with the separator of the mapping, with or without a plus', async () => {
    const read = async (amount: string, decimalSeparator: '.' | ',') =>
      (await one(amount, { decimalSeparator })).entries[0]?.amountMinor;
    expect(await read('+ 1.234,5', ',')).toBe(123_450);
    expect(await read('1,234.5', '.')).toBe(123_450);
    await expect(one('1+2')).rejects.toThrow('a decimal number');
    await expect(one('1-2')).rejects.toThrow('a decimal number');
    await expect(one('5(')).rejects.toThrow('a decimal number');
  });

  test.each(['-5', '−5', '(5.00)', '5.00-', '5.00−', ''])('%s is a withdrawal', async (amount) => {
    expect(await one(amount)).toMatchObject({ entries: [], withdrawals: 1 });
  });

  test('an amount of zero is no payment, and is counted', async () => {
    expect(await one('0.00')).toMatchObject({ entries: [], withdrawals: 1 });
  });
});

test.each([
  ['a column that is missing', 'Date;Betrag\n2026-11-20;5\n', 'has no line with all columns'],
  ['a quote that does not end', 'Date;Amount\n2026-11-20;"5\n', 'is not CSV'],
  ['no date', 'Date;Amount;Currency\n;5;EUR\n', 'entry 1 has a date'],
  ['no currency', 'Date;Amount\n2026-11-20;5\n', 'entry 1 has a currency'],
])('%s is refused', async (_, text, problem) => {
  const currency = text.includes('Currency') ? 'Currency' : undefined;
  const columns = { date: 'Date', amount: 'Amount', currency };
  await expect(parsed(text, { ...english, columns })).rejects.toThrow(problem);
});

test('entries with impossible dates are reported and left out, and the others are read', async () => {
  const mapping = { ...english, columns: { date: 'Date', amount: 'Amount' }, currency: 'EUR' };
  const file = 'Date;Amount\n2026-11-20;5\n;6\n1900-01-01;7\n0000-00-00;8\n2099-01-01;9\n2026-11-21;10\n';
  const { entries, rejected } = await parsed(file, mapping);
  expect(entries.map(({ amountMinor }) => amountMinor)).toEqual([500, 1_000]);
  expect(rejected.map(({ entry }) => entry)).toEqual([2, 3, 4, 5]);
});

const simple = { columns: { date: 'Date', amount: 'Amount' }, currency: 'EUR' };
const mapped = (more: Partial<CsvMapping>) => Object.assign({}, english, simple, more);

test('cells are trimmed, rows of another length have empty cells, and a row without date and amount is none', async () => {
  const columns = Object.assign({ name: 'Name', currency: 'Currency' }, simple.columns);
  const file =
    ' Date ;Amount; Name ;Currency\n 2026-11-20 ; 5 ; Ada ; usd \n2026-11-20;6\n2026-11-20;\n;;Total;\n';
  const { entries, withdrawals } = await parsed(file, mapped({ columns }));
  expect(entries).toMatchObject([
    { name: 'Ada', currency: 'USD', account: '', text: '', structured: [], ids: [] },
    { amountMinor: 600, currency: 'EUR' },
  ]);
  expect([entries[1]?.name, withdrawals]).toEqual([undefined, 1]);
});

test('a line without cells is no entry, and a quote within a value is part of it', async () => {
  const columns = Object.assign({ name: 'Name' }, simple.columns);
  const file = 'Date;Amount;Name\n\n2026-11-20;5;The "Shop"\n\n;6;\n';
  const { entries, rejected } = await parsed(file, mapped({ columns }));
  expect([entries[0]?.name, rejected[0]?.entry]).toEqual(['The "Shop"', 2]);
});

test.each([
  ['withdrawals', '2026-11-20;-5;Booked\n'],
  ['withdrawals and credits', '2026-11-20;-5;Booked\n2026-11-20;5;Booked\n'],
  ['withdrawals and what is not booked', '2026-11-20;-5;Booked\n2026-11-20;5;Pending\n'],
])('a file of %s and impossible dates is read', async (_, rows) => {
  const columns = Object.assign({ status: 'State' }, simple.columns);
  const { rejected } = await parsed(`Date;Amount;State\n${rows};6;Booked\n`, mapped({ columns }));
  expect(rejected).toHaveLength(1);
});

test('a quote that does not end after the header is refused', async () => {
  const file = `Date;Amount\n${'2026-11-20;5\n'.repeat(60)}2026-11-20;"5\n`;
  await expect(parsed(file, mapped({}))).rejects.toThrow('is not CSV: a quoted value does not end');
});

test('a long line is refused, and more entries than 10,000, after a header of 50 lines', async () => {
  await expect(parsed(`Date;Amount\n2026-11-20;"${'5'.repeat(200_000)}"\n`, mapped({}))).rejects.toThrow(
    'must have no line of more than 100000 characters',
  );
  const many = (count: number) => `${'x\n'.repeat(49)}Date;Amount\n${'2026-11-20;5\n'.repeat(count)}`;
  expect((await parsed(many(10_000), mapped({}))).entries).toHaveLength(10_000);
  await expect(parsed(many(10_001), mapped({}))).rejects.toThrow('must have at most 10000 entries');
});

describe('a direction and a status', () => {
  const columns = { date: 'Date', amount: 'Amount', direction: 'D/C' };
  const signless = 'Date;Amount;D/C\n2026-11-20;5;K\n2026-11-20;6;D\n2026-11-20;7;k\n';

  test('tell credits from withdrawals where amounts have no sign', async () => {
    const { entries, withdrawals } = await parsed(signless, mapped({ columns }));
    expect([entries.map(({ amountMinor }) => amountMinor), withdrawals]).toEqual([[500, 700], 1]);
  });

  test.each(['K;D', 'Credit;Debit', 'Debet;Credit', 'Zugang;Abgang', ';'])(
    'of %s in a column that is not mapped are refused: no list of words decides about money',
    async (values) => {
      const [first, second] = values.split(';');
      const file = `Date;Amount;Kind\n2026-11-20;5;${first}\n2026-11-20;6;${second}\n`;
      await expect(parsed(file, mapped({ amounts: 'signed' }))).rejects.toThrow(
        'has no amount with a sign: map the column of debit and credit as direction',
      );
      expect((await parsed(file, mapped({ amounts: 'credits' }))).entries).toHaveLength(2);
    },
  );

  test.each(['-6', '6-', '(6)'])('are optional where withdrawals have a minus: %s', async (amount) => {
    const signed = `Date;Amount;Kind\n2026-11-20;5;C\n2026-11-20;${amount};D\n`;
    expect((await parsed(signed, mapped({ amounts: 'signed' }))).entries[0]?.amountMinor).toBe(500);
  });

  test.each([
    ['two words', 'refused', ['5;A', '6;b', '-7;a']],
    ['four words', 'refused', ['5;A', '6;B', '7;C', '8;D', '-9;A']],
    ['five words', 'read', ['5;A', '6;B', '7;C', '8;D', '9;E', '-9;A']],
    ['a word and a number', 'read', ['5;A', '6;B1', '-7;A']],
    ['one word, with spaces, small, empty or left out', 'read', ['5;A', '6; a', '7;', '8', '-9;A']],
    ['a word that no credit has', 'read', ['5;A', '-6;B']],
  ])('with %s in another column, beside amounts without a sign: the file is %s', async (_, outcome, rows) => {
    const file = `Date;Amount;Kind\n${rows.map((row) => `2026-11-20;${row}\n`).join('')}`;
    // A column that is mapped is none of directions.
    const columns = Object.assign({ name: 'Kind' }, simple.columns);
    expect((await parsed(file, mapped({ columns, amounts: 'signed' }))).withdrawals).toBe(1);
    const reading = parsed(file, mapped({ amounts: 'signed' }));
    if (outcome === 'read') expect((await reading).withdrawals).toBe(1);
    else await expect(reading).rejects.toThrow('beside each value of the column "Kind"');
  });

  test('are optional where no amount can be a credit', async () => {
    const file = 'Date;Amount\n2026-11-20;\n2026-11-20;0,00\n';
    const { entries, withdrawals } = await parsed(file, mapped({ amounts: 'signed', decimalSeparator: ',' }));
    expect([entries, withdrawals]).toEqual([[], 2]);
  });

  test.each([
    ['c1,c2,c3,c4,c5', '"c1", "c2", "c3", "c4", "c5"'],
    ['c1,c2,c3,c4,c5,c6', '"c1", "c2", "c3", "c4", "c5" and others'],
    [`D\u0001\u202Eébit,${'x'.repeat(60)}`, `"D ébit", "${'x'.repeat(40)}"`],
    ['K,neither', '"neither"'],
  ])(
    'with unknown values are refused with at most five of them, without control characters',
    async (values, shown) => {
      const rows = values.split(',').map((value) => `2026-11-20;5;${value}\n`);
      await expect(parsed(`Date;Amount;D/C\n${rows.join('')}`, mapped({ columns }))).rejects.toThrow(
        `has unknown values in the column "D/C" (${shown}): state creditValues`,
      );
    },
  );

  test('of withdrawals only are read', async () => {
    const file = 'Date;Amount;D/C\n2026-11-20;5;D\n';
    expect(await parsed(file, mapped({ columns }))).toMatchObject({ entries: [], withdrawals: 1 });
  });

  test('have the values of the mapping in place of the known ones', async () => {
    const file =
      'Date;Amount;D/C;State\n2026-11-20;5;Entrée;Fait\n2026-11-20;6;C;Fait\n2026-11-20;7;entrée;Prévu\n';
    const mapping = mapped({
      columns: { ...columns, status: 'State' },
      creditValues: [' entrée ', 'reçu'],
      bookedValues: ['fait'],
    });
    const { entries, withdrawals, notBooked } = await parsed(file, mapping);
    expect([entries.map(({ amountMinor }) => amountMinor), withdrawals, notBooked]).toEqual([[500], 1, 1]);
  });

  test('leave out what the bank has not booked, also a file of nothing else', async () => {
    const mapping = mapped({ columns: { date: 'Date', amount: 'Amount', status: 'Info' } });
    const pending = '2026-11-20;6;Umsatz vorgemerkt\n';
    const file = `Date;Amount;Info\n2026-11-20;5;Umsatz gebucht\n${pending}`;
    const { entries, notBooked } = await parsed(file, mapping);
    expect([entries.map(({ amountMinor }) => amountMinor), notBooked]).toEqual([[500], 1]);
    const none = await parsed(`Date;Amount;Info\n${pending}`, mapping);
    expect([none.entries, none.notBooked]).toEqual([[], 1]);
  });
});
