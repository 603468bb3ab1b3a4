import { submitRoute } from '../../console/contracts/operations.ts';
import { linkMailRoute } from '../../portal/routes.ts';

export const commands = {
  'link-mail': linkMailRoute,
};

export const route = submitRoute('portal', commands, 'the links to billing pages');
