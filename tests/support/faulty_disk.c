/* A disk that fails: preloaded into a process (LD_PRELOAD), on Linux.

   FAULTY_DISK is the directory whose files are watched, FAULTY_IMAGE another one, which shows at any time what
   would be left of them after a power failure: what was written and then synced. While there is a file "fail" in
   FAULTY_IMAGE every sync fails, and as on Linux the pages it should have written count as written from then on:
   later syncs do not try them again. Unless that file is empty, they also go back to what the disk has, as when
   the kernel needs their memory for something else. Directories are durable at once.

   While there is a file "room" there, a log ("-wal") takes as many bytes more as it says, and is full then: the last
   write is a short one. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 16384
#define FILES 64

struct watched {
    dev_t device;
    ino_t inode;
    unsigned char dirty[PAGES];
};

static struct watched files[FILES];
static int known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__)) dlsym(RTLD_NEXT, name))

static int real_open(const char *path, int flags)
{
    return REAL(int, "open", const char *, int, ...)(path, flags, 0600);
}

static ssize_t real_pwrite(int fd, const void *data, size_t size, off_t at)
{
    return REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t)(fd, data, size, at);
}

/* Whether path is watched; where its image is. */
static int image_of(const char *path, char *image)
{
    const char *place = getenv("FAULTY_DISK");
    size_t length = place ? strlen(place) : 0;
    size_t end = strlen(path);
    if (!length || strncmp(path, place, length) || path[length] != '/')
        return 0;
    if (end > 4 && !strcmp(path + end - 4, "-shm"))
        return 0; /* it is no more after a power failure, and SQLite never syncs it */
    snprintf(image, PATH_MAX, "%s%s", getenv("FAULTY_IMAGE"), path + length);
    return 1;
}

static int image_of_fd(int fd, char *image)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return image_of(path, image);
}

static struct watched *of_fd(int fd)
{
    struct stat it;
    if (fstat(fd, &it))
        return NULL;
    for (int n = 0; n < known; n++)
        if (files[n].device == it.st_dev && files[n].inode == it.st_ino)
            return &files[n];
    if (known == FILES)
        abort();
    files[known].device = it.st_dev;
    files[known].inode = it.st_ino;
    return &files[known++];
}

static void wrote(int fd, off_t at, ssize_t size)
{
    char image[PATH_MAX];
    if (size <= 0 || !image_of_fd(fd, image))
        return;
    pthread_mutex_lock(&lock);
    struct watched *file = of_fd(fd);
    for (off_t page = at / PAGE; file && page <= (at + size - 1) / PAGE; page++) {
        if (page >= PAGES)
            abort();
        file->dirty[page] = 1;
    }
    pthread_mutex_unlock(&lock);
}

/* Copy a page from one file to the other; nothing beyond the end. */
static void copy(int from, int to, off_t page)
{
    char data[PAGE] = {0};
    ssize_t size = pread(from, data, PAGE, page * PAGE);
    if (size > 0)
        real_pwrite(to, data, size, page * PAGE);
}

static int synced(int fd)
{
    char image[PATH_MAX], fail[PATH_MAX], own[64];
    struct stat it, failing;
    const char *place = getenv("FAULTY_IMAGE");
    if (!place)
        return 0;
    snprintf(fail, sizeof fail, "%s/fail", place);
    int fails = !stat(fail, &failing);
    if (fstat(fd, &it) || !S_ISREG(it.st_mode) || !image_of_fd(fd, image))
        return 0;
    pthread_mutex_lock(&lock);
    struct watched *file = of_fd(fd);
    int there = real_open(image, O_RDWR | O_CREAT | O_CLOEXEC);
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    /* Whoever syncs may have opened it for writing only. */
    int here = real_open(own, (fails ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    struct stat size;
    fstat(there, &size);
    for (off_t page = 0; file && page < PAGES; page++) {
        if (!file->dirty[page])
            continue;
        file->dirty[page] = 0;
        if (!fails)
            copy(here, there, page);
        else if (failing.st_size) {
            static const char zero[PAGE];
            off_t rest = it.st_size - page * PAGE;
            if (rest > 0)
                real_pwrite(here, zero, rest < PAGE ? rest : PAGE, page * PAGE);
            if (page * PAGE < size.st_size)
                copy(there, here, page);
        }
    }
    if (!fails && ftruncate(there, it.st_size))
        abort();
    close(there);
    if (here >= 0)
        close(here);
    pthread_mutex_unlock(&lock);
    if (fails)
        errno = EIO;
    return fails ? -1 : 0;
}

/* How much of a write of this size there is room for. */
static size_t room_for(int fd, size_t size)
{
    char image[PATH_MAX], place[PATH_MAX], text[32] = {0};
    if (!image_of_fd(fd, image) || !strstr(image, "-wal"))
        return size;
    snprintf(place, sizeof place, "%s/room", getenv("FAULTY_IMAGE"));
    int room = real_open(place, O_RDWR | O_CLOEXEC);
    if (room < 0)
        return size;
    if (pread(room, text, sizeof text - 1, 0) > 0) {
        size_t left = strtoul(text, NULL, 10);
        size = size < left ? size : left;
        snprintf(text, sizeof text, "%-20zu", left - size);
        real_pwrite(room, text, 20, 0);
    }
    close(room);
    return size;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at)
{
    size_t room = room_for(fd, size);
    if (size && !room) {
        errno = ENOSPC;
        return -1;
    }
    ssize_t done = real_pwrite(fd, data, room, at);
    wrote(fd, at, done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    return pwrite64(fd, data, size, at);
}

ssize_t write(int fd, const void *data, size_t size)
{
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t done = REAL(ssize_t, "write", int, const void *, size_t)(fd, data, size);
    if (at >= 0)
        wrote(fd, at, done);
    return done;
}

int fsync(int fd) { return synced(fd); }

int fdatasync(int fd) { return synced(fd); }

int unlink(const char *path)
{
    char image[PATH_MAX];
    int done = REAL(int, "unlink", const char *)(path);
    if (!done && image_of(path, image))
        REAL(int, "unlink", const char *)(image);
    return done;
}

int rename(const char *from, const char *to)
{
    char old[PATH_MAX], new[PATH_MAX];
    int done = REAL(int, "rename", const char *, const char *)(from, to);
    if (!done && image_of(from, old) && image_of(to, new))
        REAL(int, "rename", const char *, const char *)(old, new);
    return done;
}
