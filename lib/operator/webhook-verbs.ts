import {
  flag,
  forApplication,
  list,
  number,
  oneOf,
  pages,
  requiredList,
  requiredText,
  text,
  type Verb,
} from './verb.ts';

const types = 'type of events, such as subscription.renewed or subscription.*; repeatable';
const type = list('types', types);
const description = text('description', 'for the owner of the webhook');
const active = flag('active', 'whether events are delivered; --active enables a disabled webhook');

/** The commands of an application for its webhooks and events. */
export const webhookVerbs: readonly Verb[] = [
  {
    name: 'webhook create',
    summary: 'Creates a webhook of an application, for the kind of key that its types name.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/webhooks',
    options: {
      endpoint: requiredText('url', 'https URL to which events are delivered'),
      type: requiredList('types', types),
      description,
      active,
    },
    note: 'Store the secret now: it is not shown again.',
  },
  {
    name: 'webhook list',
    summary: 'Lists the webhooks of an application.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/webhooks',
  },
  {
    name: 'webhook show',
    summary: 'Shows a webhook.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/webhooks/{webhook}',
  },
  {
    name: 'webhook update',
    summary: 'Changes the given fields of a webhook.',
    ...forApplication,
    method: 'PUT',
    path: '/api/v1/webhooks/{webhook}',
    options: { endpoint: text('url', 'https URL to which events are delivered'), type, description, active },
  },
  {
    name: 'webhook remove',
    summary: 'Removes a webhook and its secrets.',
    ...forApplication,
    method: 'DELETE',
    path: '/api/v1/webhooks/{webhook}',
    confirmation: 'Deliveries that wait are not made any more. Remove the webhook?',
  },
  {
    name: 'webhook rotate',
    summary: 'Gives a webhook a new signing secret; the former one signs for 24 hours more.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/webhooks/{webhook}/rotate',
    note: 'Store the secret now: it is not shown again.',
  },
  {
    name: 'webhook test',
    summary: 'Sends a test event to a webhook.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/webhooks/{webhook}/test',
  },
  {
    name: 'webhook deliveries',
    summary: 'Lists the deliveries to a webhook with their attempts, newest first.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/webhooks/{webhook}/deliveries',
    options: {
      status: oneOf('pending', 'succeeded', 'failed')('status', 'only deliveries in this state'),
      ...pages('records'),
    },
  },
  {
    name: 'webhook retry',
    summary: 'Attempts a delivery again.',
    ...forApplication,
    method: 'POST',
    path: '/api/v1/deliveries/{delivery}/retry',
  },
  {
    name: 'event list',
    summary: 'Lists the events of an application, oldest first.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/events',
    options: {
      type: text('type', 'type of events, or a pattern such as subscription.*'),
      after: text('after', 'event or cursor after which the page starts'),
      limit: number('limit', 'maximum number of records'),
    },
  },
  {
    name: 'event show',
    summary: 'Shows an event.',
    ...forApplication,
    method: 'GET',
    path: '/api/v1/events/{event}',
  },
];
