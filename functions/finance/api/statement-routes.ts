import { defineRoutes } from '../../shared/contract/route.ts';

export const statementRoutes = defineRoutes({});
