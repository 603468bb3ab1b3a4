/** Pictures of invoices as PDF, for docs/invoices.md: as the viewer of Chromium shows them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { CreditNote } from '../../functions/invoices/credit-note.ts';
import { creditNotePdf, invoicePdf } from '../../functions/invoices/document/pdf.ts';
import { writeDeployedFiles } from '../../lib/deployment/bundling/deployed-files.ts';
import { executablePath } from '../support/browser/chromium.ts';
import { anInvoice } from '../support/subscriptions/invoices.ts';
import { compressed } from './png.ts';

const directory = join(import.meta.dirname, '../../docs/invoices');
/** A page of A4 with the margin of the viewer. */
const viewport = { width: 820, height: 1_160 };

const legal = {
  legalName: 'Acme Notes Oy',
  address: { line1: 'Mannerheimintie 1', postalCode: '00100', city: 'Helsinki', country: 'FI' },
  vatId: 'FI12345671',
  registration: 'Business ID 1234567-1',
};
const seller = { ...anInvoice().seller, legal };
const plain = anInvoice({
  seller,
  customer: {
    name: 'Matti Meikäläinen',
    email: 'matti@example.com',
    address: { line1: 'Esimerkkikatu 2 A 3', postalCode: '90100', city: 'Oulu', country: 'FI' },
  },
  pricesInclude: 'inclusive',
  taxes: [{ name: 'VAT', country: 'FI', percent: 25.5, taxableMinor: 103_506, taxMinor: 26_394 }],
});
const reverseCharge = anInvoice({
  seller,
  reverseCharge: true,
  customer: {
    name: '王小明 · 株式会社サンプル · 홍길동 😀',
    email: 'books@example.com',
    address: { line1: 'Hauptstraße 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
    vatId: 'DE123456789',
  },
});
const creditNote: CreditNote = {
  creditNoteId: 'crn_1',
  applicationId: plain.applicationId,
  externalId: plain.externalId,
  subscriptionId: plain.subscriptionId,
  n: 1,
  number: 'CRN-7K3M9QXA-1',
  reason: 'refund',
  invoiceId: plain.invoiceId,
  invoiceN: plain.n,
  invoiceNumber: plain.number,
  totalMinor: 50_000,
  currency: 'EUR',
  issuedAtMs: Date.UTC(2026, 11, 3, 6, 45),
};

/** Takes the pictures. @returns how many. */
export async function takeInvoices(): Promise<number> {
  const files = await mkdtemp(join(tmpdir(), 'vouchsafe-invoices-'));
  await writeDeployedFiles(files);
  process.env.FILES_DIR = files;
  const documents: Readonly<Record<string, Uint8Array>> = {
    plain: await invoicePdf(plain),
    'reverse-charge': await invoicePdf(reverseCharge),
    'credit-note': await creditNotePdf(creditNote, plain),
  };
  await rm(files, { recursive: true });
  const server = createServer(({ url = '' }, response) => {
    const pdf = documents[url.slice(1)];
    response.writeHead(pdf === undefined ? 404 : 200, { 'content-type': 'application/pdf' }).end(pdf);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.address() as AddressInfo;
  // The former headless mode has no viewer of PDF.
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--headless=new', '--no-sandbox', '--disable-lcd-text'],
    ignoreDefaultArgs: ['--headless', '--headless=old'],
  });
  try {
    mkdirSync(directory, { recursive: true });
    for (const name of Object.keys(documents)) {
      const page = await browser.newPage({ viewport });
      await page.goto(`http://127.0.0.1:${port}/${name}#toolbar=0&navpanes=0&view=FitH`);
      // Nothing tells when the viewer has drawn.
      await sleep(3_000);
      writeFileSync(join(directory, `${name}.png`), compressed(await page.screenshot()));
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
  return Object.keys(documents).length;
}
