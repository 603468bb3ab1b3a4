import type { Routes } from '../shared/contract/route.ts';
import { route as consentShow } from './contracts/consent-show.ts';
import { route as consentSubmit } from './contracts/consent-submit.ts';
import { route as metadata } from './contracts/metadata.ts';
import { route as revoke } from './contracts/revoke.ts';
import { route as token } from './contracts/token.ts';

export const routes = {
  'consent-show': consentShow,
  'consent-submit': consentSubmit,
  token,
  revoke,
  metadata,
} satisfies Routes;
