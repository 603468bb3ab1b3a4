/** What is answered when a request of the consent page leads no further. */
import type { Reply } from '../shared/contract/route.ts';
import { redirectReply, withErrorPages } from '../shared/html/page.ts';
import type { LambdaHandler } from '../shared/lambda/endpoint.ts';
import { consentFrame, pageReply } from './page.ts';
import type { Parameters } from './parameters.ts';
import { answerUri, pageAddress, type Refused } from './request.ts';
import { problemPage } from './steps.ts';

const doubts: Readonly<Record<string, string>> = {
  client:
    'The application that sent you here is not known to us (client_id). Go back to it; if it goes on, tell those who run it.',
  redirect:
    'The application asked for the answer to go to an address that it has not registered (redirect_uri), so it goes nowhere. Go back to it, and tell those who run it.',
};

/** Tells the application where that is safe, and otherwise the user. */
export function refusal(refused: Refused, issuer: string): Reply {
  if (refused.tell === 'application') {
    return redirectReply(answerUri(refused.redirectUri, refused.answer, issuer));
  }
  return pageReply(
    400,
    problemPage({ title: 'This request cannot be used', text: doubts[refused.why] ?? '' }),
  );
}

/** Back to the start, with a word on why: the session has run out, or the browser keeps no cookies. */
export function startAgain(parameters: Parameters, cookies: readonly string[] = []): Reply {
  return redirectReply(`${pageAddress(parameters)}&notice=expired`, cookies);
}

export const expiredNotice =
  'Your sign-in has run out, or this browser did not keep it. Please start again; cookies have to be allowed for this page.';

/** A form that this page did not make, or not in this session. */
export function foreignForm(parameters: Parameters): Reply {
  const text = 'This form belongs to another sign-in, perhaps in another tab. Nothing was done.';
  return pageReply(403, problemPage({ title: 'Nothing was changed', text, parameters }));
}

export function alreadyAnswered(): Reply {
  const text =
    'You have answered this request before. Go back to the application, and start there if you need to.';
  return pageReply(409, problemPage({ title: 'Already answered', text }));
}

export function unknownStep(parameters: Parameters): Reply {
  const text = 'The form is not complete. Nothing was done.';
  return pageReply(400, problemPage({ title: 'Nothing was changed', text, parameters }));
}

/** Said to somebody who has shown that the mailbox is his, and to nobody else. */
export function nobodyByThatAddress(parameters: Parameters): Reply {
  const text = 'No account can be signed in to with this address. If you have several, try another.';
  return pageReply(403, problemPage({ title: 'You cannot sign in with this address', text, parameters }));
}

/** Makes a page of the errors that are given before or instead of the handler's own answer. */
export function withPages(answer: LambdaHandler): LambdaHandler {
  return withErrorPages(answer, consentFrame, (status, auditId) =>
    status < 500
      ? problemPage({
          title: 'This request cannot be used',
          text: 'Something in it is repeated, too long or not readable. Go back to the application, and start there again.',
        })
      : problemPage({
          title: 'Something failed on our side',
          text: `Please try again in a moment. When you report it, quote ${auditId}.`,
        }),
  );
}
