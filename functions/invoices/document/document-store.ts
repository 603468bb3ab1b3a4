/** The PDFs of invoices and credit notes that were mailed. They are written once, and kept. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as keys from '../../shared/contract/keys.ts';
import { splitBlob } from '../../shared/table/blob.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import { notExists, putItem, transactWrite } from '../../shared/table/table.ts';

export interface DocumentId {
  subscriptionId: string;
  kind: 'INVOICE' | 'CREDITNOTE';
  n: number;
}

/** The identity of the bytes of a PDF. */
export interface DocumentHash {
  /** SHA-256 in hexadecimal. */
  sha256: string;
  size: number;
}

export interface MailedDocument extends DocumentHash {
  pdf: Uint8Array;
}

/** The head item. The PDF is compressed: write units are counted by 1 KB. */
interface Head extends DocumentHash {
  data: Uint8Array;
  parts: number;
}

const readHead = recordReader<Head>(['sha256', 'size', 'data', 'parts']);
const readPart = recordReader<{ data: Uint8Array }>(['data']);

const keyOf = ({ subscriptionId, kind, n }: DocumentId) => keys.document(subscriptionId, kind, n);

export const documentStore = {
  /** The hash of a document; undefined when it was never mailed. Strongly consistent. */
  async hash(id: DocumentId): Promise<DocumentHash | undefined> {
    const head = await getRecord(keyOf(id), readHead);
    return head && { sha256: head.sha256, size: head.size };
  },

  /**
   * The document as it was mailed; undefined when it never was. Strongly consistent.
   *
   * @throws Error when the bytes are not those that were written.
   */
  async find(id: DocumentId): Promise<MailedDocument | undefined> {
    const key = keyOf(id);
    const head = await getRecord(key, readHead);
    if (head === undefined) return undefined;
    const { sha256, size, data, parts } = head;
    const rest = await Promise.all(
      Array.from({ length: parts }, (_, i) => getRecord(keys.documentPart(key, i + 1), readPart)),
    );
    const packed = Buffer.concat([data, ...rest.map((part) => part?.data ?? new Uint8Array())]);
    const pdf = new Uint8Array(gunzipSync(packed));
    if (sha256Of(pdf) !== sha256) throw new Error(`The document ${key.pk} is not the one that was stored`);
    return { sha256, size, pdf };
  },

  /**
   * Stores a document, unless it is stored.
   *
   * @returns the bytes that are stored. Of several concurrent calls, all return those of one.
   */
  async keep(id: DocumentId, pdf: Uint8Array): Promise<Uint8Array> {
    const key = keyOf(id);
    const [data, ...rest] = splitBlob(gzipSync(pdf));
    const head: Head = { data, sha256: sha256Of(pdf), size: pdf.length, parts: rest.length };
    const Item = { ...key, ...head };
    const ConditionExpression = notExists;
    const isWritten =
      rest.length === 0
        ? await putItem(Item, { ConditionExpression, guard: { once: 'pk' } })
        : await transactWrite([
            { Put: { Item, ConditionExpression } },
            ...rest.map((part, i) => ({ Put: { Item: { ...keys.documentPart(key, i + 1), data: part } } })),
          ]);
    if (isWritten) return pdf;
    const stored = await documentStore.find(id);
    if (stored === undefined) throw new Error(`The document ${key.pk} was not stored`);
    return stored.pdf;
  },
};

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
