import type { ShareContent } from '../../client/share.ts';

export interface Draft {
  kind: 'text' | 'files';
  text: string;
  files: readonly File[];
  isOnce: boolean;
  /** How often it can be opened, unless once: 2 to 100. */
  maxViews: number;
  hours: number;
  passphrase: string;
  hasReceipt: boolean;
}

export const emptyDraft: Draft = {
  kind: 'text',
  text: '',
  files: [],
  isOnce: true,
  maxViews: 5,
  hours: 24,
  passphrase: '',
  hasReceipt: true,
};

/** The bytes that are encrypted. */
export function sizeOf({ kind, text, files }: Draft): number {
  if (kind === 'text') return new TextEncoder().encode(text).length;
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Reads the content. @throws DOMException when a file cannot be read. */
export async function contentOf({ kind, text, files }: Draft): Promise<ShareContent> {
  if (kind === 'text') return { text };
  return {
    files: await Promise.all(
      files.map(async (file) => ({
        name: file.name,
        type: file.type,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    ),
  };
}
