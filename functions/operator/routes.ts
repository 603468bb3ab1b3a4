import { defineRoutes } from '../shared/contract.ts';

export const routes = defineRoutes({});
