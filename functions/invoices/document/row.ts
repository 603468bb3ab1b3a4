export type Row = readonly [label: string, value: string];
