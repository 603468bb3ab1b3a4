/** The part of the Web Locks API in use. https://w3c.github.io/web-locks/ */
interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Runs work while no other tab of the origin runs work of the same name. Without the Web Locks API (browsers before 2022,
 * Node.js before 24.5), the work just runs.
 */
export function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { navigator } = globalThis as { navigator?: { locks?: Locks } };
  return navigator?.locks === undefined ? work() : navigator.locks.request(name, work);
}
