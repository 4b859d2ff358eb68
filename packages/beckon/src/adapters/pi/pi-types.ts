// The used shapes of @mariozechner/pi-coding-agent, compatible with its types without importing them.

/** What pi gives the code of an extension with each event. */
export interface PiContext {
  /** Whether there is somebody to show dialogs to. */
  hasUI: boolean;
  cwd: string;
  ui: PiDialogs;
  sessionManager: { getSessionId(): string };
  /** Aborted when the person interrupts the turn. */
  signal?: AbortSignal | undefined;
}

/** Dialogs of pi. Each resolves with `undefined` if it is left without a choice. */
interface PiDialogs {
  select(title: string, options: string[], more?: { signal?: AbortSignal }): Promise<string | undefined>;
  input(title: string, placeholder?: string, more?: { signal?: AbortSignal }): Promise<string | undefined>;
}

/** A call before it runs. Changing `input` changes what runs. */
export interface PiToolCall {
  toolName: string;
  toolCallId: string;
  input: Record<string, unknown>;
}

/** What becomes of a call; nothing lets it run. */
export type PiVerdict = { block: true; reason: string } | undefined;

/** A tool that an extension adds. */
export interface PiTool {
  name: string;
  label: string;
  description: string;
  promptSnippet: string;
  parameters: object;
  execute(
    toolCallId: string,
    params: unknown,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: PiContext,
  ): Promise<{ content: { type: 'text'; text: string }[]; details: object }>;
}

/** What pi gives an extension when it is loaded. */
export interface Pi {
  on(event: 'tool_call', handler: (event: PiToolCall, context: PiContext) => Promise<PiVerdict>): void;
  on(event: 'before_agent_start', handler: (event: { prompt?: unknown }) => void): void;
  on(event: 'message_end', handler: (event: { message?: unknown }) => void): void;
  on(event: 'session_shutdown', handler: () => Promise<void>): void;
  registerTool(tool: PiTool): void;
}
