import { routes } from '../../webhooks/routes.ts';
import { submitRoute } from './submit.ts';

export const route = submitRoute('webhooks', routes, 'webhooks and their deliveries');
