/** A text of a document with its label. */
export type Row = readonly [label: string, value: string];
