import { submitRoute } from '../../console/contracts/operations.ts';
import { routes } from '../../webhooks/routes.ts';

export const route = submitRoute('webhooks', routes, 'webhooks and their deliveries');
