export type MovementKind = 'new' | 'expansion' | 'contraction' | 'paused' | 'reactivated' | 'churned';

export interface Movement {
  /** When it took effect, epoch milliseconds. */
  atMs: number;
  kind: MovementKind;
  currency: string;
  /** The contribution of the subscription from then on, in minor units a month. */
  monthlyMinor: number;
}
