import { minuteMs } from '../../shared/runtime/duration.ts';

/** Shared by receipts and burns: a page that shows a receipt reads it now and then. */
export const receiptLimit = { group: 'share-receipt', max: 60, windowMs: minuteMs } as const;
