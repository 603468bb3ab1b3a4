/** A table of a document. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** A number with separators of thousands: `1,234`. */
export const grouped = (value: number, places = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
