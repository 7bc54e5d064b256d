export interface TrackerComment {
  readonly issue: number;
  readonly body: string;
  readonly key: string | undefined;
}

export interface Tracker {
  readonly url: string;
  readonly comments: readonly TrackerComment[];
  stop(): Promise<void>;
}

export function startTracker(options?: {
  readonly port?: number;
  readonly beforeAnswer?: (comment: TrackerComment) => Promise<void>;
  readonly log?: (line: string) => void;
}): Promise<Tracker>;
