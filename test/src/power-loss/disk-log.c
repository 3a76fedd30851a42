/*
 * Preloaded into a process, writes down what it does to the files of one folder, in order: what was written where, what was cut
 * off, removed and synced. disk-log.ts reads the record.
 *
 * DISK_LOG_FOLDER  the folder (an absolute path without links; files below it, not those of folders below)
 * DISK_LOG_FILE    where the record goes
 * DISK_SYNC_MS     without the two: how long each sync takes, and nothing is written down
 * DISK_FULL_FILE   without the two: while this file is there, the disk is full and no file can grow
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, UNLINK = 3, SYNC = 4, UNKNOWN = 5 };

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static char folder[4096];
static size_t folder_length;
static int record_fd = -1;
static long sync_ms;
static const char *full_file;

static void give_up(const char *why) {
  fprintf(stderr, "disk-log: %s\n", why);
  _exit(97);
}

__attribute__((constructor)) static void begin(void) {
  const char *of = getenv("DISK_LOG_FOLDER"), *to = getenv("DISK_LOG_FILE"), *slow = getenv("DISK_SYNC_MS");
  const char *full = getenv("DISK_FULL_FILE");
  /* A copy: PostgreSQL writes the title of its processes over the variables. */
  if (full) full_file = strdup(full);
  if ((slow || full) && !of && !to) {
    if (slow) sync_ms = atol(slow);
    return;
  }
  if (!of || !to || strlen(of) >= sizeof folder) give_up("DISK_LOG_FOLDER and DISK_LOG_FILE are needed");
  strcpy(folder, of);
  folder_length = strlen(folder);
  record_fd = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (record_fd < 0) give_up("the record cannot be opened");
}

/* The name inside the folder, "" for the folder itself; NULL for what is elsewhere. */
static const char *inside(const char *path) {
  if (folder_length == 0 || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == 0) return path + folder_length;
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *name_of(int fd, char *buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, buffer, size - 1);
  if (length < 0) return NULL;
  buffer[length] = 0;
  return inside(buffer);
}

/* One call to write(2) for each entry: kind, length of the name, offset or size, length of the bytes; name; bytes. */
static void note(uint8_t kind, const char *name, uint64_t offset, const void *bytes, uint32_t length) {
  uint16_t name_length = (uint16_t)strlen(name);
  size_t size = 15 + (size_t)name_length + length;
  uint8_t *entry = malloc(size);
  if (!entry) give_up("no memory");
  entry[0] = kind;
  memcpy(entry + 1, &name_length, 2);
  memcpy(entry + 3, &offset, 8);
  memcpy(entry + 11, &length, 4);
  memcpy(entry + 15, name, name_length);
  if (length) memcpy(entry + 15 + name_length, bytes, length);
  if (syscall(SYS_write, record_fd, entry, size) != (long)size) give_up("the record cannot be written");
  free(entry);
}

/* Whether the disk is full for bytes up to this place: what is there already can be written over. */
static int is_full(int fd, off_t end) {
  struct stat status;
  if (!full_file || syscall(SYS_faccessat, AT_FDCWD, full_file, F_OK) != 0) return 0;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && end > status.st_size;
}

static size_t length_of(const struct iovec *parts, int count) {
  size_t length = 0;
  for (int at = 0; at < count; at++) length += parts[at].iov_len;
  return length;
}

/* Refuses what would make a file grow on a full disk. */
#define NEED_ROOM(fd, end)                                                      \
  if (is_full(fd, end)) {                                                       \
    errno = ENOSPC;                                                             \
    return -1;                                                                  \
  }

#define REAL(result, name, ...)                                                 \
  static result (*real)(__VA_ARGS__);                                           \
  if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name);            \
  if (!real) give_up("a function of the C library is missing: " name)

/* The entry follows the deed, and no other thread's deed comes between. */
#define NAMED(fd)                                                               \
  char path[4096];                                                              \
  const char *name = record_fd < 0 ? NULL : name_of(fd, path, sizeof path)

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (full_file) NEED_ROOM(fd, lseek(fd, 0, SEEK_CUR) + (off_t)length);
  NAMED(fd);
  if (!name) return real(fd, bytes, length);
  pthread_mutex_lock(&order);
  struct stat status;
  int appends = fcntl(fd, F_GETFL) & O_APPEND;
  off_t at = appends && fstat(fd, &status) == 0 ? status.st_size : lseek(fd, 0, SEEK_CUR);
  ssize_t done = real(fd, bytes, length);
  int fault = errno;
  if (done > 0) note(WRITE, name, (uint64_t)at, bytes, (uint32_t)done);
  pthread_mutex_unlock(&order);
  errno = fault;
  return done;
}

#define PWRITE(function, offset_type)                                           \
  ssize_t function(int fd, const void *bytes, size_t length, offset_type at) {  \
    REAL(ssize_t, #function, int, const void *, size_t, offset_type);           \
    NEED_ROOM(fd, at + (off_t)length);                                          \
    NAMED(fd);                                                                  \
    if (!name) return real(fd, bytes, length, at);                              \
    pthread_mutex_lock(&order);                                                 \
    ssize_t done = real(fd, bytes, length, at);                                 \
    int fault = errno;                                                          \
    if (done > 0) note(WRITE, name, (uint64_t)at, bytes, (uint32_t)done);       \
    pthread_mutex_unlock(&order);                                               \
    errno = fault;                                                              \
    return done;                                                                \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(function, offset_type)                                        \
  int function(int fd, offset_type size) {                                      \
    REAL(int, #function, int, offset_type);                                     \
    NEED_ROOM(fd, size);                                                        \
    NAMED(fd);                                                                  \
    if (!name) return real(fd, size);                                           \
    pthread_mutex_lock(&order);                                                 \
    int failed = real(fd, size), fault = errno;                                 \
    if (!failed) note(TRUNCATE, name, (uint64_t)size, NULL, 0);                 \
    pthread_mutex_unlock(&order);                                               \
    errno = fault;                                                              \
    return failed;                                                              \
  }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define SYNCING(function)                                                       \
  int function(int fd) {                                                        \
    REAL(int, #function, int);                                                  \
    if (sync_ms > 0) usleep((useconds_t)(1000 * sync_ms));                      \
    NAMED(fd);                                                                  \
    if (!name) return real(fd);                                                 \
    pthread_mutex_lock(&order);                                                 \
    int failed = real(fd), fault = errno;                                       \
    if (!failed) note(SYNC, name, 0, NULL, 0);                                  \
    pthread_mutex_unlock(&order);                                               \
    errno = fault;                                                              \
    return failed;                                                              \
  }
SYNCING(fsync)
SYNCING(fdatasync)

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  const char *name = record_fd < 0 ? NULL : inside(path);
  if (!name) return real(path);
  pthread_mutex_lock(&order);
  int failed = real(path), fault = errno;
  if (!failed) note(UNLINK, name, 0, NULL, 0);
  pthread_mutex_unlock(&order);
  errno = fault;
  return failed;
}

/* What the model knows nothing of must not pass by in silence: the reader refuses a record with such an entry. */
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  const char *name = record_fd < 0 ? NULL : inside(to);
  if (name) note(UNKNOWN, name, 0, "rename", 6);
  return real(from, to);
}

#define WRITEV(function, offset_type)                                           \
  ssize_t function(int fd, const struct iovec *parts, int count, offset_type at) { \
    REAL(ssize_t, #function, int, const struct iovec *, int, offset_type);      \
    NEED_ROOM(fd, at + (off_t)length_of(parts, count));                         \
    NAMED(fd);                                                                  \
    if (name) note(UNKNOWN, name, 0, #function, sizeof #function - 1);          \
    return real(fd, parts, count, at);                                          \
  }
WRITEV(pwritev, off_t)
WRITEV(pwritev64, off64_t)

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  NAMED(fd);
  if (name) note(UNKNOWN, name, 0, "writev", 6);
  return real(fd, parts, count);
}

#define ALLOCATING(function, offset_type)                                       \
  int function(int fd, offset_type at, offset_type length) {                    \
    REAL(int, #function, int, offset_type, offset_type);                        \
    if (is_full(fd, at + length)) return ENOSPC;                                \
    NAMED(fd);                                                                  \
    if (name) note(UNKNOWN, name, 0, #function, sizeof #function - 1);          \
    return real(fd, at, length);                                                \
  }
ALLOCATING(posix_fallocate, off_t)
ALLOCATING(posix_fallocate64, off64_t)
