/** The content of a share: a text, or files with their names. */
export type ShareContent =
  | { text: string }
  | { files: readonly { name: string; type?: string; bytes: Uint8Array }[] };

export interface OpenedFile {
  /** Without path, control characters and characters that change the direction of text. */
  name: string;
  /** The media type that the sender stated; `application/octet-stream` when they stated none. */
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export type OpenedShare =
  | { kind: 'text'; text: string; createdAt: string }
  | { kind: 'files'; files: OpenedFile[]; createdAt: string };
