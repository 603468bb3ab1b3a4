import { routes } from '../../applications/routes.ts';
import { submitRoute } from './submit.ts';

export const route = submitRoute('applications', routes, 'applications, their settings and their keys');
