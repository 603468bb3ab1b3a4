import { sumMinor } from '../../../../../functions/shared/money/money.ts';
import type { BankEntry } from '../../../../../functions/statements/import/file/entry.ts';
import { matchEntries } from '../../../../../functions/statements/import/match.ts';
import type { ListedInvoice, matchStore } from '../../../../../functions/statements/import/match-store.ts';
import { entryCandidates } from '../../../../../functions/statements/import/statement.ts';
import type { Subscription } from '../../../../../functions/subscriptions/record/subscription.ts';

const day = Date.UTC(2026, 10, 20);
const entry = (more: Partial<BankEntry> = {}): BankEntry => ({
  kind: 'credit',
  amountMinor: 999,
  currency: 'EUR',
  isOneTransfer: true,
  valueAtMs: day,
  account: 'DE02120300000000202051',
  text: 'Danke',
  structured: [],
  ids: [],
  bankId: undefined,
  endToEndId: undefined,
  name: undefined,
  iban: undefined,
  ...more,
});
const owed = { currency: 'EUR', totalMinor: 1_000, settled: { paidMinor: 1 } };
const subscription = (referenceNumber: string, subscriptionId: string) =>
  ({
    subscriptionId,
    externalId: `client of ${subscriptionId}`,
    referenceNumber,
    openInvoices: [owed, { currency: 'USD', totalMinor: 7 }],
  }) as unknown as Subscription;
const ada = subscription('SUB-7K3M9XQP', 'sub_ada');
const bob = subscription('SUB-B2C4D6EC', 'sub_bob');
const invoice = (invoiceId: string, externalId: string, dueMinor = 999): ListedInvoice => ({
  invoiceId,
  subscriptionId: `sub of ${invoiceId}`,
  externalId,
  currency: 'EUR',
  dueMinor,
});

const numbered = (number: string, invoiceId: string, dueMinor = 999): ListedInvoice => ({
  ...invoice(invoiceId, `client of ${invoiceId}`, dueMinor),
  number,
});

/** Matches entries with these records, and tells what was read. */
async function matched(
  entries: readonly BankEntry[],
  {
    invoices = [],
    names = {},
    recorded = [],
    subscriptions = [ada, bob],
  }: {
    subscriptions?: Subscription[];
    invoices?: ListedInvoice[];
    names?: Record<string, string>;
    recorded?: string[];
  } = {},
) {
  const read: unknown[] = [];
  const store: typeof matchStore = {
    recorded: async (applicationId, ids) => {
      read.push(['recorded', applicationId, ids.length]);
      expect(ids.every((id) => /^pay_[\dA-Z]{26}$/.test(id))).toBe(true);
      return new Set(recorded);
    },
    byReference: async (applicationId, references) => {
      read.push(['byReference', applicationId, ...references]);
      return new Map(subscriptions.map((one) => [one.referenceNumber ?? '', one]));
    },
    reversiblePayments: () => Promise.reject(new Error('Nothing is reversed')),
    invoiceNumbers: async () => new Map(),
    owned: () => Promise.reject(new Error('Nothing is confirmed')),
    openInvoices: async (applicationId) => {
      read.push(['openInvoices', applicationId]);
      return invoices;
    },
    clientNames: async (applicationId, ids) => {
      read.push(['clientNames', applicationId, ...ids]);
      return new Map(Object.entries(names));
    },
  };
  return { entries: await matchEntries('app_1', entries, store), read };
}
const kinds = async (entries: readonly BankEntry[], records = {}) =>
  (await matched(entries, records)).entries.map((one) => [
    one.match,
    'candidates' in one ? one.candidates.map(({ subscriptionId }) => subscriptionId) : undefined,
  ]);

describe('an entry', () => {
  test('with one reference number is matched, with what its client owes in its currency', async () => {
    const { entries, read } = await matched([entry({ text: 'SUB-7K3M9XQP' })]);
    expect(entries).toEqual([
      {
        n: 1,
        match: 'matched',
        amountMinor: 999,
        currency: 'EUR',
        valueAtMs: day,
        sourceId: expect.stringMatching(/^[\da-f]{40}$/),
        paymentId: expect.stringMatching(/^pay_/),
        text: 'SUB-7K3M9XQP',
        candidates: [
          {
            subscriptionId: 'sub_ada',
            externalId: 'client of sub_ada',
            referenceNumber: 'SUB-7K3M9XQP',
            dueMinor: 999,
          },
        ],
      },
    ]);
    expect(read).toEqual([
      ['recorded', 'app_1', 1],
      ['byReference', 'app_1', 'SUB-7K3M9XQP'],
    ]);
  });

  test('with a reference number in its EndToEndId is matched, and one that is only possible is a suggestion', async () => {
    expect(await kinds([entry({ endToEndId: 'SUB-7K3M9XQP' })])).toEqual([['matched', ['sub_ada']]]);
    expect(await kinds([entry({ endToEndId: '7K3M9XQP' })])).toEqual([['suggested', ['sub_ada']]]);
    expect(await kinds([entry({ endToEndId: 'SUB-7K3M', text: '9XQP' })])).toEqual([['unknown', undefined]]);
    const late = `${'x'.repeat(35)}SUB-7K3M9XQP`;
    expect(await kinds([entry({ endToEndId: late })])).toEqual([['unknown', undefined]]);
  });

  test('with two, or with one that is only possible, is a suggestion', async () => {
    expect(await kinds([entry({ text: 'SUB-B2C4D6EC SUB-7K3M9XQP' }), entry({ text: '7K3M9XQP' })])).toEqual([
      ['suggested', ['sub_bob', 'sub_ada']],
      ['suggested', ['sub_ada']],
    ]);
    // A certain one decides, whatever else is possible.
    expect(await kinds([entry({ text: 'B2C4D6EC SUB-7K3M9XQP' })])).toEqual([['matched', ['sub_ada']]]);
  });

  test('that took money back, or is there twice, has no candidate', async () => {
    const one = entry({ text: 'SUB-7K3M9XQP', bankId: '1' });
    const first = (await matched([one])).entries[0]?.paymentId ?? '';
    expect(await kinds([one, one])).toEqual([
      ['matched', ['sub_ada']],
      ['duplicate', undefined],
    ]);
    expect(await kinds([one], { recorded: [first] })).toEqual([['duplicate', undefined]]);
    expect(await kinds([entry({ text: 'SUB-7K3M9XQP', kind: 'withdrawal_undone' })])).toEqual([
      ['reversal', undefined],
    ]);
  });

  test('is numbered by value date, and shown as one line', async () => {
    const text = `a\n\tb\u202e\u2028c ${'x'.repeat(600)}`;
    const more = { structured: ['r'], bankId: `i${'d'.repeat(200)}`, name: 'n'.repeat(141), iban: ' DE\n1 ' };
    const { entries } = await matched([entry({ valueAtMs: day + 1, text }), entry({ text: 'a', ...more })]);
    expect(entries.map(({ n, valueAtMs }) => [n, valueAtMs - day])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(entries[0]).toMatchObject({ text: 'a r', iban: 'DE 1' });
    expect([entries[0]?.bankId?.length, entries[0]?.name?.length]).toEqual([100, 140]);
    expect(entries[1]?.text).toBe(`a b c ${'x'.repeat(494)}`);
    expect(entries[1]?.bankId).toBeUndefined();
    // Cut within a pair, no half of it is kept.
    const cut = (await matched([entry({ text: `${'x'.repeat(499)}😀` })])).entries[0]?.text;
    expect(cut).toBe(`${'x'.repeat(499)}\ufffd`);
  });
});

describe('an entry without a reference number', () => {
  const names = { a: 'Ada Lovelace', b: 'Lovelace, Ada', c: 'Ada Byron', d: 'Ada' };
  const payer = entry({ name: 'LOVELACE ADA' });

  test('is suggested for the open invoices of its amount whose client has the name of the payer', async () => {
    const invoices = [
      ...[invoice('1', 'a'), invoice('2', 'b'), invoice('3', 'c'), invoice('4', 'd'), invoice('5', 'nobody')],
      ...[invoice('6', 'a', 998), Object.assign(invoice('7', 'a'), { currency: 'USD' })],
    ];
    const { entries, read } = await matched([payer], { invoices, names });
    expect(entries[0]).toMatchObject({
      match: 'suggested',
      candidates: [
        {
          subscriptionId: 'sub of 1',
          externalId: 'a',
          invoiceId: '1',
          clientName: 'Ada Lovelace',
          dueMinor: 999,
        },
        {
          subscriptionId: 'sub of 2',
          externalId: 'b',
          invoiceId: '2',
          clientName: 'Lovelace, Ada',
          dueMinor: 999,
        },
      ],
    });
    expect(read.slice(2)).toEqual([
      ['openInvoices', 'app_1'],
      ['clientNames', 'app_1', 'a', 'b', 'c', 'd', 'nobody'],
    ]);
  });

  test('has five candidates at most, with names of at most 140 characters', async () => {
    const invoices = Array.from({ length: 7 }, (_, i) => invoice(String(i), 'long'));
    const long = `Ada Lovelace${' xy'.repeat(60)}`;
    const { entries } = await matched([entry({ name: long })], { invoices, names: { long } });
    const candidates = entries.flatMap(entryCandidates);
    expect(candidates).toHaveLength(5);
    expect(candidates[0]?.clientName).toHaveLength(140);
    const references = ['7K3M9XQP', 'SUB-B2C4D6EC'];
    expect((await kinds([entry({ text: references.join(' ') })]))[0]?.[1]).toHaveLength(1);
  });

  test('stays unknown without a name, or without an invoice, and others are left as they are', async () => {
    const invoices = [invoice('1', 'a')];
    expect(await kinds([entry()], { invoices, names })).toEqual([['unknown', undefined]]);
    expect(await kinds([payer, entry({ name: 'Bob Roe' })], { invoices, names })).toEqual([
      ['suggested', ['sub of 1']],
      ['unknown', undefined],
    ]);
    const other = entry({ text: 'SUB-7K3M9XQP', name: 'Ada Lovelace' });
    expect(await kinds([other, payer], { invoices, names })).toEqual([
      ['matched', ['sub_ada']],
      ['suggested', ['sub of 1']],
    ]);
  });

  test('of which none has a name reads no invoice', async () => {
    const { read } = await matched([entry(), entry({ text: 'SUB-7K3M9XQP', name: 'Ada' })]);
    expect(read.map((one) => (one as string[])[0])).toEqual(['recorded', 'byReference']);
  });
});

describe('an invoice is named', () => {
  const owing = (reference: string, name: string) =>
    Object.assign({}, subscription(reference, `sub_${name}`), {
      openInvoices: [
        { n: 1, invoiceId: `inv_${name}_1`, currency: 'EUR', totalMinor: 500 },
        { n: 2, invoiceId: `inv_${name}_2`, currency: 'EUR', totalMinor: 700 },
        { n: 3, invoiceId: `inv_${name}_3`, currency: 'USD', totalMinor: 900 },
      ],
    });
  const subscriptions = [owing('SUB-7K3M9XQP', 'ada'), owing('SUB-B2C4D6EC', 'bob')];

  test.each([
    ['INV-7K3M9XQP-2', 'inv_ada_2', 700],
    ['inv 7k3m 9xqp 2 danke', 'inv_ada_2', 700],
    // It is paid, or in another currency, or there is none of this number: the subscription is paid.
    ['INV-7K3M9XQP-3', undefined, 1_200],
    ['INV-7K3M9XQP-9', undefined, 1_200],
    ['INV-7K3M9XQP', undefined, 1_200],
    ['SUB-7K3M9XQP-2', undefined, 1_200],
    ['INV-7K3M9XQP-2A', undefined, 1_200],
  ])('by its number in the series of a subscription: %s', async (text, invoiceId, dueMinor) => {
    const { entries } = await matched([entry({ text })], { subscriptions });
    expect(entries).toMatchObject([
      { match: 'matched', candidates: [{ subscriptionId: 'sub_ada', dueMinor }] },
    ]);
    expect(entries.flatMap(entryCandidates)[0]?.invoiceId).toBe(invoiceId);
  });

  test.each([
    ['RE-2026-000017', 'RE-2026-000017'],
    ['re 2026 000017 danke', 'RE-2026-000017'],
    ['Rechnung RE2026000017', 'RE-2026-000017'],
    ['RE-2026-0000 17', 'RE-2026-000017'],
    ['Kd 12345 RE-2026-000017/12', 'RE-2026-000017'],
    ['Größe RE-000017', 'RE-000017'],
    // The longest number that the text has.
    ['A-RE-000017', 'A-RE-000017'],
  ])('by its number in the series of the seller: %s', async (text, number) => {
    const invoices = [
      numbered('RE-2026-000017', 'inv_17'),
      numbered('RE-000017', 'inv_short'),
      numbered('A-RE-000017', 'inv_long'),
    ];
    const { entries } = await matched([entry({ text, amountMinor: 5 })], { invoices });
    expect(entries).toMatchObject([{ match: 'matched', candidates: [{ invoiceNumber: number }] }]);
  });

  test.each(['RE-2026-0000171', 'WARE-2026-000017', 'RE-2026-000017B', 'RE-2026-17', '000017', ''])(
    'not by another word: %s',
    async (text) => {
      const { entries } = await matched([entry({ text })], {
        invoices: [numbered('RE-2026-000017', 'inv_17')],
      });
      expect(entries).toMatchObject([{ match: 'unknown' }]);
    },
  );

  test('by digits alone only with its amount; otherwise a person decides', async () => {
    const invoices = [numbered('000017', 'inv_17')];
    const texts = [entry({ text: '000017' }), entry({ text: 'Kd 000017', amountMinor: 998 })];
    const { entries } = await matched(texts, { invoices });
    expect(entries.map(({ match }) => match)).toEqual(['matched', 'suggested']);
  });

  test('in another currency by nothing', async () => {
    const { entries } = await matched([entry({ text: 'RE-000017', currency: 'USD' })], {
      invoices: [numbered('RE-000017', 'inv_17')],
    });
    expect(entries).toMatchObject([{ match: 'unknown' }]);
  });

  test.each([
    ['SUB-7K3M9XQP SUB-B2C4D6EC', 2_400, ['inv_ada_1', 'inv_ada_2', 'inv_bob_1', 'inv_bob_2']],
    ['INV-7K3M9XQP-2, INV-B2C4D6EC-1', 1_200, ['inv_ada_2', 'inv_bob_1']],
    ['SUB-7K3M9XQP INV-B2C4D6EC-1', 1_700, ['inv_ada_1', 'inv_ada_2', 'inv_bob_1']],
    ['SUB-7K3M9XQP SUB-B2C4D6EC', 2_399, undefined],
    ['RE-000001, RE-000002', 900, ['inv_1', 'inv_2']],
    ['RE-000001, RE-000002', 901, undefined],
  ])(
    'with others: %s of %d is divided when the amounts due add up',
    async (text, amountMinor, invoiceIds) => {
      const invoices = [numbered('RE-000001', 'inv_1', 400), numbered('RE-000002', 'inv_2', 500)];
      const { entries } = await matched([entry({ text, amountMinor })], { subscriptions, invoices });
      expect(entries.flatMap(entryCandidates)).toHaveLength(2);
      const [split] = entries.map((one) => ('split' in one ? one.split : undefined));
      expect(entries[0]?.match).toBe(split === undefined ? 'suggested' : 'matched');
      expect(split?.map(({ invoiceId }) => invoiceId)).toEqual(invoiceIds);
      expect(split && sumMinor(split)).toBe(invoiceIds && amountMinor);
    },
  );
});

test.each([
  ['SUB-7K3M9XQP', 999],
  ['INV-7K3M9XQP-1', 999],
  ['SUB-7K3M9XQP SUB-B2C4D6EC', 1_998],
  ['RE-000001', 999],
  ['RE-000001, RE-000002', 1_998],
])(
  'an entry that is not one transfer is never certain, whatever it names: %s of %d',
  async (text, amountMinor) => {
    const invoices = [numbered('RE-000001', 'inv_1'), numbered('RE-000002', 'inv_2')];
    const { entries } = await matched(
      [entry({ text, amountMinor }), entry({ text, amountMinor, isOneTransfer: false, valueAtMs: day + 1 })],
      { invoices },
    );
    expect(entries.map(({ match }) => match)).toEqual(['matched', 'suggested']);
    expect(entries[1]).not.toHaveProperty('split');
    expect(entries[1] && entryCandidates(entries[1])).toEqual(entries[0] && entryCandidates(entries[0]));
  },
);
