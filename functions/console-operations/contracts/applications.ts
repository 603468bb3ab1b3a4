import { routes } from '../../applications/routes.ts';
import { submitRoute } from '../../console/contracts/operations.ts';

export const route = submitRoute('applications', routes, 'applications, their settings and their keys');
