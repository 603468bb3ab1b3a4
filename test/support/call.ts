/** The words of most tests: requests, records, applications with their clients, and time. */
export * from './world/records.ts';
export * from './world/requests.ts';
export * from './world/tenants.ts';
export * from './world/time.ts';
