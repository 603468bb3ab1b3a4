/** Why the demo ends early: one or two sentences for the person at the terminal. */
export class Failure extends Error {}

/** How long one request may take. A first request to the local stack creates the demo data. */
export const demoSeconds = 30;
