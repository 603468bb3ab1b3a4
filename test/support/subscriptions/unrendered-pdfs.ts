import { afterEach, beforeEach, vi } from 'vitest';
import * as pdf from '../../../functions/invoices/document/pdf.ts';

/**
 * Leaves out the rendering of PDFs in each test of the file: it takes longer than all else of a mail. For files that
 * look at no PDF; the names of attachments stay. test/system/functions/invoices/document/pdf.test.ts reads the PDFs of
 * invoices, and test/handlers/functions/invoices/credit-notes.test.ts that of a credit note.
 */
export function leaveOutPdfs(): void {
  const rendering = ['invoicePdf', 'creditNotePdf'] as const;
  let left: { mockRestore(): void }[] = [];
  beforeEach(() => {
    left = rendering.map((name) => vi.spyOn(pdf, name).mockResolvedValue(new Uint8Array(1)));
  });
  afterEach(() => {
    for (const spy of left) spy.mockRestore();
  });
}
