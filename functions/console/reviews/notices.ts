import { minuteMs } from '../../shared/runtime/clock.ts';
import type { NoticeForm } from '../pages/visit.ts';

/** The end of the queue, for the person who asks for the next link. */
export const nothingFree = 'No unclaimed links are waiting.';

/** Withdraws the decision that the person made just now. It can be withdrawn on the page of the link later. */
export const undoForm = (linkId: string, revision: number, nowMs: number): NoticeForm => ({
  path: `/console/reviews/${linkId}`,
  fields: { action: 'withdraw', revision, reason: 'Undone right after the decision.' },
  button: 'Undo',
  key: 'u',
  untilMs: nowMs + minuteMs,
});
