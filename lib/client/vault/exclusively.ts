/**
 * Runs work while no other tab of the origin runs work of the same name. Without the Web Locks API (browsers before 2022,
 * Node.js before 24.5), the work just runs. https://w3c.github.io/web-locks/
 */
export function exclusively(name: string, work: () => Promise<unknown>): Promise<unknown> {
  const { navigator } = globalThis;
  return navigator?.locks === undefined ? work() : navigator.locks.request(name, work);
}
