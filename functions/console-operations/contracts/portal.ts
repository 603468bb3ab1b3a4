import { submitRoute } from '../../console/contracts/operations.ts';
import { routes } from '../../portal/routes.ts';

export const route = submitRoute('portal', routes, 'the links to billing pages');
