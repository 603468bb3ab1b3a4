import { type Answer, show, type Visit } from '../pages/visit.ts';
import { keysScript } from './keys-script.ts';
import { type Problem, reviewPage } from './review-page.ts';
import type { ReviewView } from './review-view.ts';

/** The page of a link. @param status other than 200 when nothing was decided. */
export async function showReview(
  visit: Visit,
  view: ReviewView,
  { status = 200, ...problem }: Problem & { status?: 200 | 409 | 422 } = {},
): Promise<Answer> {
  const title = view.review.trustLink?.title ?? 'A removed link';
  return show(title, reviewPage(visit, view, problem), { status, script: await keysScript() });
}
