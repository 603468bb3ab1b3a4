import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoicePdf } from '../../../../../functions/invoices/document/pdf.ts';
import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import { bundleFunctions } from '../../../../../lib/deployment/bundling/bundle.ts';
import { invoiceFonts } from '../../../../../lib/deployment/bundling/invoice-fonts.ts';
import { registered } from '../../../../support/call.ts';
import { anInvoice } from '../../../../support/subscriptions/invoices.ts';
import { readPdf } from '../../../../support/subscriptions/pdf.ts';

const writeFonts = async (to: string) => writeFile(join(to, 'invoice-fonts.bin'), await invoiceFonts());

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vouchsafe-invoices-'));
  await writeFonts(directory);
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(() => {
  process.env.FILES_DIR = directory;
});

const read = async (changes: Partial<Invoice> = {}) => readPdf(await invoicePdf(anInvoice(changes)));
const named = (name: string) => ({ customer: { name, email: 'x@example.com' } });

describe('an open invoice', () => {
  test('shows on one page customer, seller, amount, due date and how to pay', async () => {
    const { texts, pages } = await read();
    expect(pages).toBe(1);
    const line = ['“Pro”', 'One month: 28 November 2026 to 28 December 2026', 'EUR 1,299.00', '1'];
    const account = [
      'Acme Notes Oy',
      'Example Bank',
      'FI21 1234 5600 0007 85',
      'EXAMFIHH',
      '123 456',
      '20-00-00',
    ];
    for (const text of [
      ...['INVOICE', 'INV-7K3M9QXA-2', 'Matti Meikäläinen', 'matti@example.com'],
      ...['21 November 2026', '28 November 2026', 'Amount due', ...line],
      ...['How to pay', ...account, 'Payment reference', 'SUB-7K3M9QXA'],
    ]) {
      expect(texts).toContain(text);
    }
  });
});

describe('the PDF of an invoice', () => {
  test.each<[string, Partial<Invoice>]>([
    ['was paid', { status: 'paid', paidAtMs: Date.UTC(2026, 10, 24), settled: { paidMinor: 129_900 } }],
    ['is void', { status: 'void' }],
    ['was not paid', { status: 'uncollectible' }],
    ['was refunded', { status: 'refunded', settled: { creditNotedMinor: 129_900 } }],
    ['has a payment that was reversed', { reversed: true }],
  ])('that %s has the bytes of its issue', async (_, changes) => {
    expect(Buffer.compare(await invoicePdf(anInvoice(changes)), await invoicePdf(anInvoice()))).toBe(0);
  });

  test('that credit paid at its issue is stamped, and asks for no payment', async () => {
    const { texts } = await read({ status: 'paid', settledAtIssue: { fromCreditMinor: 129_900 } });
    for (const text of ['PAID', 'Paid from credit', 'Paid in full on 21 November 2026. Thank you.'])
      expect(texts).toContain(text);
    for (const text of ['How to pay', 'Amount due', 'Payment reference']) expect(texts).not.toContain(text);
  });
});

describe('characters', () => {
  test.each([
    ...['Łukasz Żółć', 'Ηλέκτρα Παπαδοπούλου', 'Иван Щукин', 'Nguyễn Văn Tiến', 'ქეთევან'],
    ...['王小明', '株式会社サンプル', '홍길동', '😀 🧾', 'Zoë – “Œuvre” €…', '王小明 홍길동 Łódź 😀'],
  ])('of every script are written: %s', async (name) => {
    expect((await read(named(name))).texts).toContain(name);
  });

  test('that no font contains become question marks, one for each', async () => {
    expect((await read(named('𓀀𓀁 Łódź'))).texts).toContain('?? Łódź');
  });

  test('written from right to left are joined and in visual order', async () => {
    // In visual order, from the left: the last letter first.
    expect((await read(named('שרה Cohen'))).texts).toContain('הרש Cohen');
    const { texts } = await read(named('محمد علي Cohen'));
    expect(texts).toContain('يلع دمحم Cohen');
  });

  test('that control text or its direction are removed', async () => {
    expect((await read(named('a\u0000b\r\nc\u202ed\u2066'))).texts).toContain('a b cd');
  });
});

describe('the file', () => {
  test('is tagged: a title, paragraphs, a table with headings, and a figure with an alternative text', async () => {
    const pdf = await invoicePdf(anInvoice());
    const { structure, alternatives } = readPdf(pdf);
    for (const type of ['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure'])
      expect(structure).toContain(type);
    expect(alternatives).toEqual(['QR code that fills in the transfer in the app of a bank']);
    const source = Buffer.from(pdf).toString('latin1');
    // ISO 14289-1 sections 5 and 7.1: the identifier, the mark, the language, and the title in the window.
    for (const part of ['<pdfuaid:part>1', '/Marked true', '/Lang (en)', '/DisplayDocTitle true'])
      expect(source).toContain(part);
    // Every font is embedded.
    expect(source).not.toContain('/BaseFont /Helvetica');
  });

  test.each([[{}], [named('Łukasz')]])(
    'is the same bytes from the same invoice, years later too',
    async (more) => {
      const invoice = anInvoice(more);
      const here = await invoicePdf(invoice);
      const kept = await invoicePdf({ ...invoice });
      expect(Buffer.compare(here, kept)).toBe(0);
      vi.resetModules();
      vi.setSystemTime(Date.UTC(2031, 0, 1));
      try {
        const again = await import('../../../../../functions/invoices/document/pdf.ts');
        expect(again.invoicePdf).not.toBe(invoicePdf);
        expect(Buffer.compare(await again.invoicePdf(invoice), here)).toBe(0);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('is the same from the deployed bundle, where nothing is installed', async () => {
    const [bundle] = await bundleFunctions(join(directory, 'bundle'), {
      registry: [registered('invoices.read')],
      entry: () => 'functions/invoices/document/pdf.ts',
      writeFiles: writeFonts,
    });
    const bundled = createRequire(import.meta.url)(join(bundle?.directory ?? '', 'index.js'));
    process.env.FILES_DIR = bundle?.directory;
    for (const invoice of [anInvoice(), anInvoice(named('Łukasz عبد الله'))]) {
      expect(Buffer.compare(await bundled.invoicePdf(invoice), await invoicePdf(invoice))).toBe(0);
    }
  });

  test('is one page, and wraps a name that is longer than two lines', async () => {
    const name =
      'Gesellschaft für die Förderung der außerordentlich langen Namen von Vereinen und Verbänden mbH in Mainz';
    expect(name).toHaveLength(103);
    const { texts, pages } = await read(named(name));
    expect(pages).toBe(1);
    expect(texts.join(' ')).toContain(name);
  });

  test('has as many pages as its texts need, and cuts none of them', async () => {
    const long = 'Gesellschaft für außerordentlich lange Namen mit beschränkter Haftung & Compagnie'.repeat(
      2,
    );
    const lines = Array.from({ length: 40 }, (_, i) => ({
      description: `${long} ${i}`,
      quantity: 12,
      amountMinor: 100_000_000_000,
    }));
    const customer = { name: 'W'.repeat(200), email: `${'a'.repeat(64)}@example.com` };
    const banking = { accountHolder: long, bankName: long, iban: 'M'.repeat(34) };
    const { texts, pages } = await read({ lines, seller: { name: long, banking }, customer });
    expect(pages).toBe(6);
    // Words are broken where they are longer than a line.
    const written = texts.join('').replaceAll(' ', '');
    const shown = [...lines.map(({ description }) => `“${description}”`), customer.name, customer.email];
    for (const text of [...shown, 'How to pay', 'SUB-7K3M9QXA', 'page 6'])
      expect(written).toContain(text.replaceAll(' ', ''));
  });
});
