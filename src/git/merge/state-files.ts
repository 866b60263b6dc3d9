// The files of an operation in progress.

/** The files of an unfinished merge, cherry-pick or revert. */
export const mergeStateFiles = ['MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'AUTO_MERGE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'] as const
