/** A tool the planner may choose, as the host offers it: only tools whose visibility includes the model (H8). */
export interface PlannerTool {
  server: string;
  name: string;
  description?: string | undefined;
}

export interface PlannedCall {
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
}

/** What to answer a prompt with: a sentence, and the call it announces. */
export interface Plan {
  say: string;
  call?: PlannedCall;
}

/**
 * Chooses a tool for a prompt. The demo ships {@link createKeywordPlanner}, which needs no key; a model
 * takes its place by implementing this. `tools` is what it may choose from, so a plan never names another.
 */
export interface Planner {
  plan(prompt: string, tools: readonly PlannerTool[], signal?: AbortSignal): Promise<Plan>;
}
