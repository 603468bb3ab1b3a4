import { definePage } from './console-route.ts';

export const route = definePage(
  {
    operationId: 'showConsolePage',
    path: '/console',
    summary: 'Shows operators the work that is waiting.',
    description:
      'For browsers. The start page of the console. People sign in with an operator key, and its scopes decide which pages they see.',
    grants: { indexes: { queue: ['QUEUE'], due: ['GIVENUP'] } },
  },
  {},
);
