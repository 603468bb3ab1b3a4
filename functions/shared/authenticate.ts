import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Auth } from './contract.ts';

/** How each way of authenticating is checked; a route names one, and an unknown one does not compile. */
export const authenticators: Record<Auth, (event: APIGatewayProxyEvent) => Promise<void>> = {
  none: async () => {},
};
