/** What is due of an invoice, in minor units. Mails, pages, QR codes and payments all use this. */
export function dueMinor({
  totalMinor,
  receivedMinor = 0,
}: {
  readonly totalMinor: number;
  readonly receivedMinor?: number;
}): number {
  return Math.max(0, totalMinor - receivedMinor);
}
