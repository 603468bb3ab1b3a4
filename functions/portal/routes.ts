import type { Routes } from '../shared/contract/route.ts';
import { route as invoice } from './contracts/invoice.ts';
import { route as link } from './contracts/link.ts';
import { route as linkMail } from './contracts/link-mail.ts';
import { route as show } from './contracts/show.ts';
import { route as submit } from './contracts/submit.ts';

export const routes = {
  link,
  'link-mail': linkMail,
  show,
  submit,
  invoice,
} satisfies Routes;
