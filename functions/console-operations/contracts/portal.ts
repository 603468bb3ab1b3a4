import { submitRoute } from '../../console/contracts/operations.ts';
import { linkMailRoute as linkMail } from '../../portal/routes.ts';

export const commands = {
  'link-mail': linkMail,
};

export const route = submitRoute('portal', commands, 'the links to billing pages');
