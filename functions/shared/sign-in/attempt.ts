import { type Requester, requesterOf } from '../auth/codes/mailbox-store.ts';
import type { CodePurpose } from '../auth/codes/one-time-code.ts';
import type { Reply } from '../contract/route.ts';
import type { Page } from '../html/page.ts';
import { clientKey } from '../lambda/client-key.ts';
import type { MailContent } from '../mail/layout.ts';
import { shownByCookies } from './mailbox-cookies.ts';

/** A submitted form of the sign-in, with a valid session token and form token. */
export interface SignInForm {
  body: Partial<Record<'step' | 'email' | 'code', string | undefined>>;
  sessionToken: string;
  rateLimitKey: string;
  /** For whom codes and wrong tries are counted. */
  requester: Requester;
  baseUrl: string;
  nowMs: number;
}

export interface EmailState {
  email?: string;
  error?: string;
  notice?: string;
  status?: string;
}

export interface CodeState extends EmailState {
  email: string;
}

export interface SignInPages {
  /** A code of one page does not sign in to another. The caps count the codes of all purposes together. */
  purpose: Exclude<CodePurpose, 'device'>;
  email(state: EmailState): Page;
  code(state: CodeState): Page;
  mail(code: string, lifetimeMinutes: number): MailContent;
  show(status: number, page: Page, retryAfterSeconds?: number): Reply;
}

/** Who submits a form, by the source address that API Gateway saw, and by the cookies of the browser. */
export function submitterOf(
  address: string,
  cookieHeader: string | undefined,
  baseUrl: string,
): Pick<SignInForm, 'rateLimitKey' | 'requester'> {
  const requester = requesterOf(address, shownByCookies(cookieHeader, baseUrl));
  return { rateLimitKey: clientKey(address), requester };
}

export function invalidEmail({ body }: SignInForm, pages: SignInPages): Reply {
  const error = 'Enter an e-mail address like name@example.com.';
  return pages.show(400, pages.email({ email: body.email ?? '', error }));
}
