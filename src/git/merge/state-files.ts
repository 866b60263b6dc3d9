// Files of an operation that is under way.

/** The files that tell of an unfinished merge, cherry-pick or revert. */
export const mergeStateFiles = ['MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'AUTO_MERGE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'] as const
