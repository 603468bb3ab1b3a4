import { submitRoute } from '../../console/contracts/operations.ts';
import { route as linkMail } from '../../portal/contracts/link-mail.ts';

export const commands = {
  'link-mail': linkMail,
};

export const route = submitRoute('portal', commands, 'the links to billing pages');
