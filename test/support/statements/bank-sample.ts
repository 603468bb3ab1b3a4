/** A made-up file as a bank writes it, with the mapping that its user gives, and the rows of its dry run. */
export interface BankSample {
  readonly bank: string;
  readonly format: 'csv' | 'camt.053';
  readonly encoding: 'utf8' | 'latin1';
  /** Lines of the file. `SUB-REFERENCE` is that of a subscription. */
  readonly lines: readonly string[];
  readonly mapping?: object;
  readonly rows: readonly (readonly [
    match: string,
    amount: number,
    valueDate: string,
    payer: string | undefined,
  ])[];
  readonly withdrawals: number;
  readonly notBooked: number;
}
