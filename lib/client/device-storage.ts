/** The part of `Storage` in use, as in `localStorage` and `sessionStorage`. */
export interface DeviceStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}
